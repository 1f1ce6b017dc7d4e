import { type StreamedRequest, targetOf } from '../connection/request-log.js';

/** A request with its place on the timeline, in parts of its length. */
export interface Placed {
  readonly request: StreamedRequest;
  readonly from: number;
  readonly to: number;
  /** How often the call was made in a row, this time included: after a failure clients try again. */
  readonly nth: number;
  /** Where the try before it ended. */
  readonly triedBefore: number | undefined;
}

/** A pause longer than this is drawn as long as this. */
const LONGEST_PAUSE_MS = 1_000;
/** A call that is made again later than this is another call. */
const LONGEST_RETRY_MS = 60_000;

/** Places requests, the newest first, on one timeline. */
export function placeOnTimeline(requests: readonly StreamedRequest[]): Placed[] {
  let shownMs = 0;
  let previousMs: number | undefined;
  const failed = new Map<string, { endedMs: number; to: number; nth: number }>();
  const placed = requests.toReversed().map((request): Placed => {
    const { account, method, at, status = 0, durationMs = 0, outcome } = request;
    const atMs = new Date(at).getTime();
    const pauseMs = Math.abs(atMs - (previousMs ?? atMs));
    shownMs += Math.min(pauseMs, LONGEST_PAUSE_MS);
    previousMs = atMs;
    const to = shownMs + durationMs;
    const call = `${account} ${method} ${targetOf(request)}`;
    const before = failed.get(call);
    const isRetry = before && Math.abs(atMs - before.endedMs) <= LONGEST_RETRY_MS;
    const nth = isRetry ? before.nth + 1 : 1;
    const isFailed = outcome !== undefined && (status === 0 || status === 429 || status >= 500);
    if (isFailed) failed.set(call, { endedMs: atMs, to, nth });
    else failed.delete(call);
    return { request, from: shownMs, to, nth, triedBefore: isRetry ? before.to : undefined };
  });
  const lengthMs = Math.max(1, ...placed.map(({ to }) => to));
  return placed
    .map(({ from, to, triedBefore, ...others }) => ({
      ...others,
      from: from / lengthMs,
      to: to / lengthMs,
      triedBefore: triedBefore === undefined ? undefined : triedBefore / lengthMs,
    }))
    .reverse();
}

const LENGTH = 100;
/** The shortest request is seen as well. */
const SHORTEST = 1.5;

/** When a request came and how long it took, joined with the try before it. */
export function Span({ placed }: { readonly placed: Placed }) {
  const { request, from, to, triedBefore } = placed;
  const x = from * (LENGTH - SHORTEST);
  const kind = request.status === undefined ? 'none' : `s${String(request.status)[0]}`;
  return (
    <svg viewBox={`0 0 ${LENGTH} 10`} preserveAspectRatio="none" aria-hidden="true">
      {triedBefore !== undefined && (
        <line x1={triedBefore * (LENGTH - SHORTEST)} x2={x} y1="5" y2="5" />
      )}
      <rect class={kind} x={x} y="1" width={(to - from) * LENGTH + SHORTEST} height="8" />
    </svg>
  );
}
