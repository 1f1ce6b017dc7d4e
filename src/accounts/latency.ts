import { InvalidInputError } from '../errors/invalid-input.js';
import { hash } from '../store/hash.js';

/**
 * How long responses are delayed, in ms; `maxMs` is 0 if they are not.
 *
 * @example
 * const { minMs, maxMs }: LatencyRange = account.latency.range;
 */
export interface LatencyRange {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * How long responses to one account are delayed, errors included. Each delay is drawn from the seed and
 * the number of the request: the same requests in the same order wait equally long.
 *
 * @example
 * account.latency.set('20..200');
 * account.latency.clear();
 */
export interface LatencyControl {
  /** The range in force. */
  readonly range: LatencyRange;
  /** Sets milliseconds from 0 to 60000: a whole number, or a range such as `'20..200'`. */
  set(latency: number | string): void;
  /** Removes the delay, whatever the option `latency` says. */
  clear(): void;
}

const LONGEST_MS = 60_000;
const FORM = /^(\d+)(?:\.\.(\d+))?$/;

/** Answers at once. */
export const NO_LATENCY: LatencyRange = { minMs: 0, maxMs: 0 };

/** In words, what a latency must be. */
export const EXPECTED_LATENCY = `milliseconds from 0 to ${LONGEST_MS}, as one whole number such as 300 or as a range such as "20..200", the lower one first`;

/** The range that a number or a text such as `20..200` means; undefined if it means none. */
export function latencyRangeOf(latency: unknown): LatencyRange | undefined {
  if (typeof latency !== 'number' && typeof latency !== 'string') return undefined;
  const [, min, max = min] = FORM.exec(String(latency)) ?? [];
  const range = { minMs: Number(min), maxMs: Number(max) };
  return range.minMs <= range.maxMs && range.maxMs <= LONGEST_MS ? range : undefined;
}

/** A latency that is the same for the same seed and the same requests. */
export class Latency implements LatencyControl {
  readonly #seed: number;
  #range: LatencyRange;

  constructor(range: LatencyRange, seed: number) {
    this.#range = range;
    this.#seed = seed;
  }

  get range(): LatencyRange {
    return this.#range;
  }

  set(latency: number | string): void {
    const range = latencyRangeOf(latency);
    if (!range) throw new InvalidInputError('latency', EXPECTED_LATENCY, latency);
    this.#range = range;
  }

  clear(): void {
    this.#range = NO_LATENCY;
  }

  /** How long the response to the nth request is held back; undefined if there is no latency. */
  drawMs(nth: number): number | undefined {
    const { minMs, maxMs } = this.#range;
    if (maxMs === 0) return undefined;
    return minMs + (hash('latency', this.#seed, nth) % (maxMs - minMs + 1));
  }

  snapshot(): LatencyRange {
    return this.#range;
  }

  restore(saved: LatencyRange): void {
    this.#range = saved;
  }
}
