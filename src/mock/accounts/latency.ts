import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { hash } from '../../core/store/hash.js';
import { Kept } from '../../core/store/kept.js';
import { EXPECTED_LATENCY, latencyRangeOf } from '../../core/values/latency-range.js';

/**
 * The range of response delays, in ms; `maxMs` is 0 without latency.
 *
 * @example
 * const { minMs, maxMs }: LatencyRange = account.latency.range;
 */
export interface LatencyRange {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Delays the responses to one account, errors included. Each delay follows from the seed and the
 * number of the request, so the same requests in the same order wait equally long.
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

export const NO_LATENCY: LatencyRange = { minMs: 0, maxMs: 0 };

export class Latency extends Kept<LatencyRange> implements LatencyControl {
  readonly #seed: number;

  constructor(range: LatencyRange, seed: number) {
    super(range);
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

  /** Undefined without latency. */
  drawMs(nth: number): number | undefined {
    const { minMs, maxMs } = this.state;
    if (maxMs === 0) return undefined;
    return minMs + (hash('latency', this.#seed, nth) % (maxMs - minMs + 1));
  }
}
