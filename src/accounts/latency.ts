import { InvalidInputError } from '../errors/invalid-input.js';
import { hash } from '../store/hash.js';
import { type Budget, Kept } from '../store/kept.js';
import { EXPECTED_LATENCY, latencyRangeOf } from '../values/time.js';

/**
 * How long responses are delayed, in ms; `maxMs` is 0 without latency.
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

/** Answers at once. */
export const NO_LATENCY: LatencyRange = { minMs: 0, maxMs: 0 };

/** A latency that is the same for the same seed and the same requests. */
export class Latency extends Kept<LatencyRange> implements LatencyControl {
  readonly #seed: number;

  constructor(range: LatencyRange, seed: number, budget?: Budget) {
    super(range, budget);
    this.#seed = seed;
  }

  get range(): LatencyRange {
    return this.state;
  }

  set(latency: number | string): void {
    const range = latencyRangeOf(latency);
    if (!range) throw new InvalidInputError('latency', EXPECTED_LATENCY, latency);
    this.keep(range);
  }

  clear(): void {
    this.keep(NO_LATENCY);
  }

  /** How long the response to the nth request is held back; undefined if there is no latency. */
  drawMs(nth: number): number | undefined {
    const { minMs, maxMs } = this.state;
    if (maxMs === 0) return undefined;
    return minMs + (hash('latency', this.#seed, nth) % (maxMs - minMs + 1));
  }
}
