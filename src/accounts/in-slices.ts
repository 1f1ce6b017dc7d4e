import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../store/steps.js';

/** How long others wait at most, for each of those that work. */
const SLICE_MS = 10;

/** Does the work bit by bit and lets others have their turn: what takes little is done at once. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < until);
    await setImmediate();
  }
}
