import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../store/work-in-steps.js';

/** How long other requests wait at most, for each work that is under way. */
const SLICE_MS = 10;

/** Does long work in short slices, with other requests served in between; short work at once. */
export async function runWithoutBlocking<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < until);
    await setImmediate();
  }
}
