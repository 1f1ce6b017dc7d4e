import { count } from '../../../core/values/plural.js';
import { elapsedMs, realTimeMs } from '../../../host/adapters/unfaked-time.js';
import { NODE } from '../../../host/server/process/node-platform.js';
import { describeSample } from '../seen/evidence.js';
import { retryAfterMs } from '../seen/header-fields.js';
import type { Sample } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import { CallFailed, interrupted } from './call-failed.js';

/** Keeps a run within its rate, its number of requests and its time for waiting. */
export function createPace({ rate, maxRequests, signal }: CompleteServiceOptions) {
  let requests = 0;
  let nextAtMs = 0;
  let waitedMs = 0;

  async function wait(ms: number): Promise<void> {
    if (ms > 0) await NODE.wait(ms, signal).catch(() => undefined);
    if (signal.aborted) throw interrupted();
  }

  async function pause(ms: number): Promise<void> {
    waitedMs += Math.max(0, ms);
    await wait(ms);
  }

  return {
    requests: () => requests,
    /** Waits, and counts this towards `MAX_WAIT_MS`. */
    pause,
    /**
     * Waits as long as the response asks to, or longer each time if it does not say. Throws a
     * `CallFailed` if the run ends instead.
     */
    async waitAfter(refused: Sample, earlierWaits: number): Promise<void> {
      const waitMs = waitMsOf(refused, earlierWaits);
      const leftMs = MAX_WAIT_MS - waitedMs;
      if (waitMs <= leftMs) return pause(waitMs);
      const [asked, left] = [waitMs, leftMs].map((ms) => Math.ceil(ms / 1000));
      const told = `needs a wait of ${asked} s, but only ${left} s are left of the ${MAX_WAIT_MS / 1000} s for waiting`;
      throw new CallFailed(describeSample(refused, told), 'breaks-off');
    },
    /** Waits until one more request may be sent. Throws a `CallFailed` if none may. */
    async turn(): Promise<void> {
      if (requests >= maxRequests) {
        const reason = `the limit of ${count(maxRequests, 'request')} was reached`;
        throw new CallFailed(reason, 'breaks-off');
      }
      await wait(nextAtMs - elapsedMs());
      nextAtMs = elapsedMs() + 1000 / rate;
      requests += 1;
    },
  };
}

/** How long a run waits at most, in all, to repeat requests; pauses of probes count, too. */
export const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 1_000;

function waitMsOf({ response }: Sample, earlierWaits: number): number {
  return retryAfterMs(response.headers, realTimeMs()) ?? FIRST_BACKOFF_MS * 2 ** earlierWaits;
}
