import { NO_ACCOUNT } from '../connection/call.js';
import { readable, type StreamedRequest, targetOf } from '../connection/request-log.js';
import { type Column, Table } from '../parts/table.js';
import { Ago } from '../parts/texts.js';
import { type Placed, Span } from './timeline.js';

interface TableProps {
  readonly requests: readonly Placed[];
  readonly opened: string | undefined;
  readonly onOpen: (request: StreamedRequest, isMove: boolean) => void;
  /** The name of an account, where they are shown. */
  readonly nameOf: ((request: StreamedRequest) => string) | undefined;
}

const DURATION = (
  <th scope="col" class="number" title="Milliseconds; 0 while the clock of the account is frozen">
    ms
  </th>
);

/** Requests, a row each. */
export function RequestTable({ requests, opened, onOpen, nameOf }: TableProps) {
  const columns: readonly Column<Placed>[] = [
    ['Status', ({ request }) => statusOf(request), 'status'],
    ['Request', ({ request, nth }) => callOf(request, nth), 'request'],
    ...(nameOf ? [['Account', ({ request }: Placed) => nameOf(request), 'name'] as const] : []),
    ['When', ({ request }) => <Ago at={request.at} />, 'when'],
    [DURATION, ({ request }) => request.durationMs ?? '…', 'number'],
    ['Timeline', (placed) => <Span placed={placed} />, 'timeline'],
  ];
  return (
    <Table
      class="requests"
      caption={<caption class="hidden">Requests, the newest first</caption>}
      columns={columns}
      rows={requests}
      keyOf={({ request }) => keyOf(request)}
      opening={{
        column: 1,
        opened,
        onOpen: ({ request }, isMove) => onOpen(request, isMove),
      }}
    />
  );
}

/** Names a request among those of all accounts. */
export function keyOf({ account = NO_ACCOUNT, id }: StreamedRequest): string {
  return `${account} ${id}`;
}

/** Ids in a path, as long as they are in datasets: they differ at their ends. */
const LONG_ID = /[\da-f-]{8,}(?=[\da-f]{8}\b)/g;

/** What the classes of statuses mean. */
const CLASSES: Readonly<Record<string, readonly [className: string, words: string]>> = {
  2: ['good', 'OK'],
  4: ['warn', 'refused'],
  5: ['bad', 'failed'],
};

/** The status of the response as a chip, in a colour and in words. */
export function statusOf({ status, outcome }: StreamedRequest) {
  if (status === undefined)
    return outcome === undefined ? (
      <span class="chip">under way</span>
    ) : (
      <span class="chip bad">no response</span>
    );
  const [className = '', words = ''] = CLASSES[String(status)[0] ?? ''] ?? [];
  return (
    <span class={`chip ${className}`}>
      {status} <span class="words">{words}</span>
    </span>
  );
}

/** What was called; below it what the response rests on, as tags, and the refusal in words. */
function callOf(request: StreamedRequest, nth: number) {
  const { method, path, fault, stub, problem, decision, detail } = request;
  const [, query] = targetOf(request).split(/\?(.*)/s);
  const tags = [
    nth > 1 && `try ${nth}`,
    fault !== undefined && `fault ${fault}`,
    stub && `stub ${stub.id}`,
    decision ?? (fault === undefined && problem),
  ].filter((tag) => typeof tag === 'string');
  return (
    <>
      <bdi class="line" title={targetOf(request)}>
        <b>{method}</b> {readable(path).replace(LONG_ID, '…')}
        {query !== undefined && <span class="faint">?{query}</span>}
      </bdi>
      {(tags.length > 0 || detail !== undefined) && (
        <span class="line why" title={detail}>
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}{' '}
          {detail}
        </span>
      )}
    </>
  );
}
