import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { Kept } from '../../core/store/kept.js';
import { isTimestamp, msOf } from '../../core/values/time.js';
import type { components } from '../../generated/control.js';

export interface ClockState {
  /** The instant at which it is frozen, in ms since 1970; absent while it runs. */
  readonly frozenAtMs?: number;
  /** How far it is ahead of the machine's time while it runs. */
  readonly aheadMs: number;
}

/**
 * The clock of one account, for a test to set. In process it follows `Date`, even when that is
 * faked. It never shows a time after the year 9999.
 *
 * @example
 * account.clock.freeze('2030-01-01T00:00:00.000Z');
 * account.clock.advance(60_000);
 */
export interface ClockControl {
  /** The account's current time. */
  now(): Date;
  /** Whether the clock is frozen. */
  readonly isFrozen: boolean;
  /** Whether the clock is frozen or was advanced. */
  readonly isSet: boolean;
  /** Freezes the clock at an RFC 3339 timestamp or a `Date`; at its current time if left out. */
  freeze(at?: string | Date): void;
  /** Advances the clock by whole milliseconds; it stays frozen or running. */
  advance(durationMs: number): void;
  /** Follows the machine's time again. */
  useRealTime(): void;
}

/** The first and last instants that RFC 3339 can express in UTC. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const RUNNING: ClockState = { aheadMs: 0 };

/** Looks `Date` up with every call, because fake timers may replace it later. */
const currentTime = () => Date.now();

/** A clock that shows the machine's time until it is set. */
export class Clock extends Kept<ClockState> implements ClockControl {
  readonly #machineTime: () => number;

  /** `machineTime` returns milliseconds since 1970. */
  constructor(machineTime = currentTime) {
    super(RUNNING);
    this.#machineTime = machineTime;
  }

  now(): Date {
    const { frozenAtMs, aheadMs } = this.state;
    return new Date(frozenAtMs ?? Math.min(this.#machineTime() + aheadMs, LATEST_MS));
  }

  get isFrozen(): boolean {
    return this.state.frozenAtMs !== undefined;
  }

  get isSet(): boolean {
    return this.isFrozen || this.state.aheadMs > 0;
  }

  freeze(at: string | Date = this.now()): void {
    const text = isDate(at) ? textOf(at) : at;
    const frozenAtMs = typeof text === 'string' && isTimestamp(text) ? msOf(text) : Number.NaN;
    if (!(frozenAtMs >= EARLIEST_MS && frozenAtMs <= LATEST_MS)) {
      const expected =
        'an instant such as 2030-01-02T03:04:05.000Z, in a year from 0000 to 9999 in UTC';
      throw new InvalidInputError('frozenAt', expected, at);
    }
    this.keep({ frozenAtMs, aheadMs: 0 });
  }

  advance(durationMs: number): void {
    const isTooLate = this.now().getTime() + durationMs > LATEST_MS;
    if (!Number.isInteger(durationMs) || durationMs < 0 || isTooLate) {
      const expected = 'a whole number of milliseconds, at least 0, not beyond the year 9999';
      throw new InvalidInputError('advanceMs', expected, durationMs);
    }
    const { frozenAtMs, aheadMs } = this.state;
    this.keep(
      frozenAtMs === undefined
        ? { aheadMs: aheadMs + durationMs }
        : { frozenAtMs: frozenAtMs + durationMs, aheadMs },
    );
  }

  useRealTime(): void {
    this.keep({ aheadMs: 0 });
  }

  /** Applies a setting of a request to the control plane, or of a scenario. */
  set({ frozenAt, frozenNow, advanceMs }: components['schemas']['ClockSetting']): void {
    if (frozenAt !== undefined) this.freeze(frozenAt);
    else if (frozenNow) this.freeze();
    else if (advanceMs !== undefined) this.advance(advanceMs);
    else this.useRealTime();
  }
}

/** Unlike `instanceof`, knows a date of another realm, such as that of a test of jest. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

/** Undefined for an invalid date, for which `toISOString` throws. */
function textOf(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
