import { clearTimeout, elapsedMs, setTimeout } from '../../http/real-time.js';
import { CallFailed } from './call-failed.js';

/** When the next request may be sent. */
export interface Pace {
  /** How many requests were sent. */
  readonly requests: () => number;
  /** Waits for the turn of one more request. Throws a `CallFailed` if there is none. */
  readonly turn: () => Promise<void>;
  /** Waits that long. Throws a `CallFailed` if the run is interrupted. */
  readonly wait: (ms: number) => Promise<void>;
}

/** What limits the requests of a run. */
export interface PaceOptions {
  /** Requests a second. */
  readonly rate: number;
  readonly mostRequests: number;
  readonly signal: AbortSignal | undefined;
}

/** Creates the pace of a run. */
export function createPace({ rate, mostRequests, signal }: PaceOptions): Pace {
  let requests = 0;
  let nextAtMs = 0;

  async function wait(ms: number): Promise<void> {
    if (ms > 0 && signal?.aborted !== true) await untilElapsed(ms, signal);
    if (signal?.aborted) throw interrupted();
  }

  return {
    requests: () => requests,
    wait,
    async turn() {
      if (requests >= mostRequests) {
        throw new CallFailed(
          `all ${mostRequests} requests that it may send were sent`,
          'breaks-off',
        );
      }
      await wait(nextAtMs - elapsedMs());
      nextAtMs = elapsedMs() + 1000 / rate;
      requests += 1;
    },
  };
}

/** The failure of a call in a run that was interrupted. */
export function interrupted(): CallFailed {
  return new CallFailed('it was interrupted', 'breaks-off');
}

/** Resolves after a time, or when the signal comes. */
function untilElapsed(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
