import { parseDurationMs } from '../values/time.js';

/** The open window of a rate limit: when it began, and how many requests it has counted. */
export interface RateWindow {
  readonly startedAtMs: number;
  readonly requests: number;
}

/** Whether a request is admitted, and the window after it. */
export interface Admission {
  readonly window: RateWindow;
  /** How long until the next request is admitted, in ms; absent if this one is. */
  readonly retryAfterMs?: number;
}

/**
 * Counts a request against a limit such as `100/1m` (section 8). A window begins with the first
 * request after the one before has ended.
 */
export function countRequest(
  limit: string,
  window: RateWindow | undefined,
  nowMs: number,
): Admission {
  const [most = '', length = ''] = limit.split('/');
  const lengthMs = parseDurationMs(length);
  const isOpen = window && nowMs >= window.startedAtMs && nowMs < window.startedAtMs + lengthMs;
  const { startedAtMs, requests } = isOpen ? window : { startedAtMs: nowMs, requests: 0 };
  const counted = { startedAtMs, requests: requests + 1 };
  return requests < Number(most)
    ? { window: counted }
    : { window: counted, retryAfterMs: startedAtMs + lengthMs - nowMs };
}
