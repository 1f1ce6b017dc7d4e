import type { Steps } from '../store/work-in-steps.js';
import type { Platform } from './service.js';

/** How long other requests wait at most, for each work that is under way. */
const SLICE_MS = 10;

/** What of a platform follows from its timers. */
export function timing(
  { elapsedMs, after }: Pick<Platform, 'elapsedMs' | 'after'>,
  pause: () => Promise<void>,
): Pick<Platform, 'wait' | 'run'> {
  return {
    wait: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          cancel();
          reject(signal.reason);
        };
        const cancel = after(delayMs, () => {
          signal.removeEventListener('abort', leave);
          resolve();
        });
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave, { once: true });
      }),
    async run<Result>(steps: Steps<Result>): Promise<Result> {
      for (;;) {
        const until = elapsedMs() + SLICE_MS;
        do {
          const { done, value } = steps.next();
          if (done) return value;
        } while (elapsedMs() < until);
        await pause();
      }
    },
  };
}
