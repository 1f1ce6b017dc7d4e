import { InvalidInputError } from './invalid-input.js';

/** What an account's clock shows, as it is kept. */
interface ClockState {
  /** The instant at which it stands, in ms since 1970; absent while it runs. */
  readonly frozenAtMs?: number;
  /** How far it is ahead of the machine's time while it runs. */
  readonly aheadMs: number;
}

/** The time of one account, as a test sets it. */
export interface ClockControl {
  /** The account's now. */
  now(): Date;
  /** Whether the clock stands. */
  readonly isFrozen: boolean;
  /** Lets the clock stand at an instant: RFC 3339 text or a Date; at its now if left out. */
  freeze(at?: string | Date): void;
  /** Puts the clock forward by whole milliseconds; it stands or runs on as before. */
  advance(durationMs: number): void;
  /** Shows the machine's time again. */
  useRealTime(): void;
}

const LATEST_MS = 8_640_000_000_000_000;

/** A clock that shows the machine's time until it is told otherwise. */
export class Clock implements ClockControl {
  #state: ClockState = { aheadMs: 0 };

  now(): Date {
    return new Date(this.#state.frozenAtMs ?? Date.now() + this.#state.aheadMs);
  }

  get isFrozen(): boolean {
    return this.#state.frozenAtMs !== undefined;
  }

  freeze(at: string | Date = this.now()): void {
    const frozenAtMs = at instanceof Date ? at.getTime() : Date.parse(at);
    if (Number.isNaN(frozenAtMs)) {
      throw new InvalidInputError('frozenAt', 'an instant such as 2030-01-02T03:04:05.000Z', at);
    }
    this.#state = { frozenAtMs, aheadMs: 0 };
  }

  advance(durationMs: number): void {
    const isLate = this.now().getTime() + durationMs > LATEST_MS;
    if (!Number.isInteger(durationMs) || durationMs < 0 || isLate) {
      const expected = 'a whole number of milliseconds, at least 0, up to the year 275760';
      throw new InvalidInputError('advanceMs', expected, durationMs);
    }
    const { frozenAtMs, aheadMs } = this.#state;
    this.#state =
      frozenAtMs === undefined
        ? { aheadMs: aheadMs + durationMs }
        : { frozenAtMs: frozenAtMs + durationMs, aheadMs };
  }

  useRealTime(): void {
    this.#state = { aheadMs: 0 };
  }

  snapshot(): ClockState {
    return this.#state;
  }

  restore(saved: ClockState): void {
    this.#state = saved;
  }
}
