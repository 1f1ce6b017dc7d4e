import { receivedAtOf, type StreamedRequest, targetOf } from '../connection/request-log.js';

/** A request, and the try before it if it is a retry. */
export interface Placed {
  readonly request: StreamedRequest;
  /** 1 for the first try of a call, 2 for its first retry; 1 for a call that somebody repeated. */
  readonly nth: number;
  /** The same call before it, which failed, and how long the client waited after that. */
  readonly before: { readonly request: StreamedRequest; readonly waitedMs: number } | undefined;
}

/** A call that is repeated later than this may be one that somebody made again by hand. */
const MAX_RETRY_MS = 1_000;
/** A call that is repeated later than this has nothing to do with the one before. */
const MAX_REPEAT_MS = 60_000;

/** Finds the previous try of each request; `requests` must be newest first. */
export function joinRetries(requests: readonly StreamedRequest[]): Placed[] {
  const failed = new Map<string, Pick<Placed, 'request' | 'nth'> & { endedMs: number }>();
  const placed = requests.toReversed().map((request) => {
    const { account, method, status = 0, durationMs = 0, outcome } = request;
    const atMs = Date.parse(receivedAtOf(request));
    const call = `${account} ${method} ${targetOf(request)}`;
    const last = failed.get(call);
    const waitedMs = last ? Math.max(0, atMs - last.endedMs) : MAX_REPEAT_MS;
    const before =
      last && waitedMs < MAX_REPEAT_MS ? { request: last.request, waitedMs } : undefined;
    const nth = last && waitedMs < MAX_RETRY_MS ? last.nth + 1 : 1;
    const isFailed = outcome !== undefined && (status === 0 || status === 429 || status >= 500);
    if (isFailed) failed.set(call, { request, endedMs: atMs + durationMs, nth });
    else failed.delete(call);
    return { request, nth, before };
  });
  return placed.reverse();
}
