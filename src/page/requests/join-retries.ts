import { type StreamedRequest, targetOf } from '../connection/request-log.js';

/** A request, and the try before it if it is a retry. */
export interface Placed {
  readonly request: StreamedRequest;
  /** 1 for the first try of a call, 2 for its first retry. */
  readonly nth: number;
  /** The previous try, and how long the client waited after it. */
  readonly before: { readonly request: StreamedRequest; readonly waitedMs: number } | undefined;
}

/** A call that is repeated later than this is not a retry. */
const MAX_RETRY_MS = 60_000;

/** Finds the previous try of each request; `requests` must be newest first. */
export function joinRetries(requests: readonly StreamedRequest[]): Placed[] {
  const failed = new Map<string, Pick<Placed, 'request' | 'nth'> & { endedMs: number }>();
  const placed = requests.toReversed().map((request) => {
    const { account, method, at, status = 0, durationMs = 0, outcome } = request;
    const atMs = new Date(at).getTime();
    const call = `${account} ${method} ${targetOf(request)}`;
    const last = failed.get(call);
    // These times are of the account's clock, which may have been set or frozen.
    const waitedMs =
      last && last.request.at <= at ? Math.max(0, atMs - last.endedMs) : MAX_RETRY_MS;
    const before =
      last && waitedMs < MAX_RETRY_MS ? { request: last.request, waitedMs } : undefined;
    const nth = before && last ? last.nth + 1 : 1;
    const isFailed = outcome !== undefined && (status === 0 || status === 429 || status >= 500);
    if (isFailed) failed.set(call, { request, endedMs: atMs + durationMs, nth });
    else failed.delete(call);
    return { request, nth, before };
  });
  return placed.reverse();
}
