import type { Behaviour } from '../behaviour/use-behaviour.js';
import { NO_ACCOUNT, type Schemas } from '../connection/call.js';
import {
  readable,
  receivedAtOf,
  type StreamedRequest,
  targetOf,
} from '../connection/request-log.js';
import { Ago, endOf, partsOf } from '../parts/format.js';
import { type Column, Table } from '../parts/table.js';
import { joinRetries, type Placed } from './join-retries.js';
import { faultsOf, LetGo } from './let-go.js';

interface TableProps {
  readonly requests: readonly StreamedRequest[];
  readonly opened: string | undefined;
  /** Undefined if requests cannot be opened, because the mock no longer has them. */
  readonly onOpen: ((request: StreamedRequest, isMove: boolean) => void) | undefined;
  /** Names the account of a request; undefined if the table needs no such column. */
  readonly nameOf: ((request: StreamedRequest) => string) | undefined;
  /** The settings of the account in view, to describe the faults that fired. */
  readonly behaviour: Behaviour;
}

const DURATION = (
  <th scope="col" class="number" title="Milliseconds; 0 while the account's clock is frozen">
    ms
  </th>
);

/** The span of the timeline, the same in all rows at all times. */
const TIMELINE_MS = 1_000;

const TIMELINE = (
  <th
    scope="col"
    class="timeline"
    title="How long the request took; before a retry, how long the client waited"
  >
    <span class="scale">
      <span>0</span>
      <span>{TIMELINE_MS / 2} ms</span>
      <span>{TIMELINE_MS / 1_000} s</span>
    </span>
  </th>
);

export function RequestTable({ requests, opened, onOpen, nameOf, behaviour }: TableProps) {
  const columns: readonly Column<Placed>[] = [
    ['Status', ({ request }) => statusOf(request), 'status'],
    [
      'Request',
      (placed) => (
        <>
          {callOf(placed.request)}
          {!onOpen && <Why {...{ placed, behaviour }} />}
        </>
      ),
      'request',
    ],
    ...(nameOf
      ? [['Account', ({ request }: Placed) => titleOf(nameOf(request)), 'name'] as const]
      : []),
    ['When', ({ request }) => <Ago at={receivedAtOf(request)} />, 'when'],
    [DURATION, ({ request }) => request.durationMs ?? '…', 'number'],
    [TIMELINE, (placed) => <Span placed={placed} />, 'timeline'],
  ];
  return (
    <Table
      class="requests"
      caption={<caption class="hidden">Requests, newest first</caption>}
      columns={columns}
      rows={joinRetries(requests)}
      keyOf={({ request: { account = NO_ACCOUNT, id } }) => `${account} ${id}`}
      {...(onOpen && {
        opening: {
          column: 1,
          beside: (placed: Placed) => <Why {...{ placed, behaviour }} />,
          opened,
          onOpen: ({ request }: Placed, isMove: boolean) => onOpen(request, isMove),
        },
      })}
    />
  );
}

/** The colour and the meaning of statuses, by their first digit. */
export const CLASSES: Readonly<Record<string, readonly [className: string, words: string]>> = {
  2: ['', 'OK'],
  4: ['warn', 'refused'],
  5: ['bad', 'failed'],
};

export function statusOf({ status, outcome }: StreamedRequest) {
  const noStatus = outcome === undefined ? ['', 'pending'] : ['bad', 'no response'];
  const [className = '', words = ''] =
    status === undefined ? noStatus : (CLASSES[String(status)[0] ?? ''] ?? []);
  return (
    <span class={`chip ${className}`}>
      {status ?? '–'} <span class="words">{words}</span>
    </span>
  );
}

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

/** Describes what a fault did; empty if it was removed. */
function wordsOf(fault: Schemas['Fault'] | undefined): string {
  if (!fault) return '';
  return ` ${fault.kind}${fault.phase === 'after' ? ', after the operation ran' : ''}`;
}

function waitWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`;
}

interface WhyProps extends Pick<TableProps, 'behaviour'> {
  readonly placed: Placed;
}

/** Shows what was injected, why a request was refused, and the decision or problem behind that. */
function Why({ placed: { request, nth, before }, behaviour }: WhyProps) {
  const { fault, stub, undone, problem, decision, detail } = request;
  const faults = faultsOf(behaviour, request);
  const faultOf = (number?: number) => faults.find(({ id }) => id === number);
  const asked = faultOf(before?.request.fault)?.retryAfterS;
  const tags = [
    before && `${nth > 1 ? `try ${nth}` : 'again'} after ${waitWords(before.waitedMs)}`,
    asked !== undefined && `Retry-After was ${asked} s`,
    fault !== undefined && `injected: fault ${fault}${wordsOf(faultOf(fault))}`,
    stub && `injected: stub ${stub.id}`,
    undone && 'undone',
  ].filter((tag) => typeof tag === 'string');
  const rule = decision ?? (fault === undefined ? problem : undefined);
  if (tags.length === 0 && rule === undefined) return null;
  return (
    <span class="line why" title={detail}>
      {tags.map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}
      {detail} {rule !== undefined && <span class="tag">{rule}</span>}
      <LetGo {...{ behaviour, request }} />
    </span>
  );
}

const LENGTH = 100;
/** The smallest width of a bar, so that even the shortest request is visible. */
const SHORTEST = 1.5;

/** Draws a request on the timeline, after the time that the client waited for this try. */
function Span({ placed: { request, before } }: { readonly placed: Placed }) {
  const xOf = (ms: number) => (Math.min(ms, TIMELINE_MS) / TIMELINE_MS) * (LENGTH - SHORTEST);
  const { status, durationMs = 0 } = request;
  const kind = status === undefined ? 'none' : `s${String(status)[0]}`;
  const from = before ? xOf(before.waitedMs) : 0;
  const to = xOf((before?.waitedMs ?? 0) + durationMs) + SHORTEST;
  return (
    <svg viewBox={`0 0 ${LENGTH} 10`} preserveAspectRatio="none" aria-hidden="true">
      <path d="M0 0V10M50 0V10M100 0V10" />
      {before && <line x1="0" x2={from} y1="5" y2="5" />}
      <rect class={kind} x={from} y="1" width={to - from} height="8" />
    </svg>
  );
}
