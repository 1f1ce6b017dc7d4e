import { NO_ACCOUNT, type Schemas } from '../connection/call.js';
import { readable, type StreamedRequest, targetOf } from '../connection/request-log.js';
import { type Column, Table } from '../parts/table.js';
import { Ago, endOf, partsOf } from '../parts/texts.js';

interface TableProps {
  readonly requests: readonly StreamedRequest[];
  readonly opened: string | undefined;
  readonly onOpen: (request: StreamedRequest, isMove: boolean) => void;
  /** The name of an account, where they are shown. */
  readonly nameOf: ((request: StreamedRequest) => string) | undefined;
  /** The faults of an account. */
  readonly faults: readonly Schemas['Fault'][];
}

const DURATION = (
  <th scope="col" class="number" title="Milliseconds; 0 while the account's clock is frozen">
    ms
  </th>
);

/** Requests, a row each. */
export function RequestTable({ requests, opened, onOpen, nameOf, faults }: TableProps) {
  const columns: readonly Column<Placed>[] = [
    ['Status', ({ request }) => statusOf(request), 'status'],
    ['Request', ({ request }) => callOf(request), 'request'],
    ...(nameOf
      ? [['Account', ({ request }: Placed) => titleOf(nameOf(request)), 'name'] as const]
      : []),
    ['When', ({ request }) => <Ago at={request.at} />, 'when'],
    [DURATION, ({ request }) => request.durationMs ?? '…', 'number'],
    ['Timeline', (placed) => <Span placed={placed} />, 'timeline'],
  ];
  return (
    <Table
      class="requests"
      caption={<caption class="hidden">Requests, newest first</caption>}
      columns={columns}
      rows={placeOnTimeline(requests)}
      keyOf={({ request: { account = NO_ACCOUNT, id } }) => `${account} ${id}`}
      opening={{
        column: 1,
        beside: (placed) => whyOf(placed, faults),
        opened,
        onOpen: ({ request }, isMove) => onOpen(request, isMove),
      }}
    />
  );
}

/** What the classes of statuses mean. */
const CLASSES: Readonly<Record<string, readonly [className: string, words: string]>> = {
  2: ['good', 'OK'],
  4: ['warn', 'refused'],
  5: ['bad', 'failed'],
};

/** The status of the response as a chip, in a colour and in words. */
export function statusOf({ status, outcome }: StreamedRequest) {
  const noStatus = outcome === undefined ? ['', 'under way'] : ['bad', 'no response'];
  const [className = '', words = ''] =
    status === undefined ? noStatus : (CLASSES[String(status)[0] ?? ''] ?? []);
  return (
    <span class={`chip ${className}`}>
      {status ?? '–'} <span class="words">{words}</span>
    </span>
  );
}

/** What was called, with the ends of ids. */
export function callOf(request: StreamedRequest) {
  const [, query] = targetOf(request).split(/\?(.*)/s);
  const segments = readable(request.path).split('/');
  return (
    <bdi class="line" title={targetOf(request)}>
      <b>{request.method}</b>{' '}
      {segments.map((one) => (/^[\da-f-]+$/.test(one) ? endOf(one) : one)).join('/')}
      {query !== undefined && <span class="faint">?{query}</span>}
    </bdi>
  );
}

function titleOf(name: string) {
  return <span title={name}>{partsOf(name)[0]}</span>;
}

/** What the response rests on, as tags, and the refusal in words. */
function whyOf(
  { request: { fault, stub, problem, decision, detail }, nth }: Placed,
  faults: TableProps['faults'],
) {
  const kind = faults.find(({ id }) => id === fault)?.kind ?? '';
  const tags = [
    nth > 1 && `try ${nth}`,
    fault !== undefined && `fault ${fault} ${kind}`.trim(),
    stub && `stub ${stub.id}`,
    decision ?? (fault === undefined && problem),
  ].filter((tag) => typeof tag === 'string');
  if (tags.length === 0) return null;
  return (
    <span class="line why" title={detail}>
      {tags.map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}{' '}
      {detail}
    </span>
  );
}

/** A request with its place on the timeline, in parts of its length. */
interface Placed {
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
function placeOnTimeline(requests: readonly StreamedRequest[]): Placed[] {
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
function Span({ placed }: { readonly placed: Placed }) {
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
