import { NO_ACCOUNT, type Schemas } from '../connection/call.js';
import { readable, type StreamedRequest, targetOf } from '../connection/request-log.js';
import { Ago, endOf, partsOf } from '../parts/format.js';
import { type Column, Table } from '../parts/table.js';

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

const TIMELINE = (
  <th scope="col" class="timeline" title="A bar has the colour of its status">
    Timeline{' '}
    <svg aria-hidden="true">
      <line x2="24" y1="5" y2="5" />
    </svg>{' '}
    a retry
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
    [TIMELINE, (placed) => <Span placed={placed} />, 'timeline'],
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

/** What a fault did, and when; empty if it was removed since. */
function wordsOf(fault: TableProps['faults'][number] | undefined): string {
  if (!fault) return '';
  return ` ${fault.kind}${fault.phase === 'after' ? ', after the operation ran' : ''}`;
}

/** What the response rests on, as tags, and the refusal in words. */
function whyOf(
  { request: { at, fault, stub, problem, decision, detail }, nth, before }: Placed,
  faults: TableProps['faults'],
) {
  const faultOf = (number?: number) => faults.find(({ id }) => id === number);
  const asked = faultOf(before?.request.fault)?.retryAfterS;
  const tags = [
    before && `try ${nth}${before.request.at === at ? '' : ` after ${before.waitedMs} ms`}`,
    asked !== undefined && `Retry-After was ${asked} s`,
    fault !== undefined && `injected: fault ${fault}${wordsOf(faultOf(fault))}`,
    stub && `injected: stub ${stub.id}`,
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

/** A request with its place on the timeline, in ms of what is drawn. */
interface Placed {
  readonly request: StreamedRequest;
  readonly from: number;
  readonly to: number;
  /** The length of the timeline. */
  readonly lengthMs: number;
  /** How often the call was made in a row, this time included: after a failure clients try again. */
  readonly nth: number;
  /** The try before it, and how long the client waited then. */
  readonly before: (Pick<Placed, 'request' | 'to'> & { readonly waitedMs: number }) | undefined;
}

/** A pause longer than this is drawn as long as this. */
const LONGEST_PAUSE_MS = 1_000;
/** A call that is made again later than this is another call. */
const LONGEST_RETRY_MS = 60_000;

/** Places requests, the newest first, on one timeline. */
function placeOnTimeline(requests: readonly StreamedRequest[]): Placed[] {
  let shownMs = 0;
  let previousMs: number | undefined;
  const failed = new Map<string, Pick<Placed, 'request' | 'to' | 'nth'> & { endedMs: number }>();
  const placed = requests.toReversed().map((request) => {
    const { account, method, at, status = 0, durationMs = 0, outcome } = request;
    const atMs = new Date(at).getTime();
    const pauseMs = Math.abs(atMs - (previousMs ?? atMs));
    shownMs += Math.min(pauseMs, LONGEST_PAUSE_MS);
    previousMs = atMs;
    const from = shownMs;
    const to = shownMs + durationMs;
    const call = `${account} ${method} ${targetOf(request)}`;
    const last = failed.get(call);
    // By the account's clock, which may have been set, or stand still.
    const waitedMs =
      last && last.request.at <= at ? Math.max(0, atMs - last.endedMs) : LONGEST_RETRY_MS;
    const before = last && waitedMs < LONGEST_RETRY_MS ? { ...last, waitedMs } : undefined;
    const nth = (before?.nth ?? 0) + 1;
    const isFailed = outcome !== undefined && (status === 0 || status === 429 || status >= 500);
    if (isFailed) failed.set(call, { request, endedMs: atMs + durationMs, to, nth });
    else failed.delete(call);
    return { request, from, to, nth, before };
  });
  const lengthMs = Math.max(1, ...placed.map(({ to }) => to));
  return placed.map((one) => ({ ...one, lengthMs })).reverse();
}

const LENGTH = 100;
/** The shortest request is seen as well. */
const SHORTEST = 1.5;

/** When a request came and how long it took, joined with the try before it. */
function Span({ placed }: { readonly placed: Placed }) {
  const { request, from, to, before, lengthMs } = placed;
  const xOf = (ms: number) => (ms / lengthMs) * (LENGTH - SHORTEST);
  const kind = request.status === undefined ? 'none' : `s${String(request.status)[0]}`;
  return (
    <svg viewBox={`0 0 ${LENGTH} 10`} preserveAspectRatio="none" aria-hidden="true">
      {before && <line x1={xOf(before.to)} x2={xOf(from)} y1="5" y2="5" />}
      <rect class={kind} x={xOf(from)} y="1" width={xOf(to - from) + SHORTEST} height="8" />
    </svg>
  );
}
