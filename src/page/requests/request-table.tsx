import type { StreamedRequest } from '../connection/request-log.js';
import { Button } from '../parts/controls.js';
import { type Column, Table } from '../parts/table.js';

interface TableProps {
  readonly requests: readonly StreamedRequest[];
  readonly opened: StreamedRequest | undefined;
  readonly onOpen: (request: StreamedRequest) => void;
  /** The name of an account, where they are shown. */
  readonly nameOf: ((request: StreamedRequest) => string) | undefined;
}

/** Requests, a row each. */
export function RequestTable({ requests, opened, onOpen, nameOf }: TableProps) {
  const duration = (
    <th scope="col" class="number" title="Milliseconds; 0 while the clock of the account is frozen">
      ms
    </th>
  );
  const open = (request: StreamedRequest) => (
    <Button class="link" onClick={() => onOpen(request)}>
      <b>{request.method}</b> {request.path}
      {request.query !== undefined && <span class="faint">?{request.query}</span>}
    </Button>
  );
  const columns: readonly Column<StreamedRequest>[] = [
    ['Time', ({ at }) => at.slice(11, 23), 'time'],
    ['Request', open],
    ['Status', statusOf],
    [duration, ({ durationMs }) => durationMs ?? '…', 'number'],
    nameOf ? ['Account', nameOf, 'why'] : ['Why', why, 'why'],
  ];
  return (
    <Table
      class="requests"
      caption={<caption class="hidden">Requests, the newest first</caption>}
      columns={columns}
      rows={requests}
      keyOf={({ account, id }) => `${account} ${id}`}
      classOf={({ account, id }) =>
        id === opened?.id && account === opened.account ? 'opened' : ''
      }
    />
  );
}

/** The status of the response, in a colour and in words. */
export function statusOf({ status, outcome }: StreamedRequest) {
  if (status === undefined)
    return <span class="status none">{outcome === undefined ? 'under way' : 'no answer'}</span>;
  return <span class={`status s${String(status)[0]}`}>{status}</span>;
}

/** What the response rests on, as tags, and the refusal in words, as far as there is room. */
function why({ account, fault, stub, problem, decision, detail }: StreamedRequest) {
  const tags = [
    account === undefined && 'no account',
    fault !== undefined && `fault ${fault}`,
    stub && `stub ${stub.id}`,
    decision ?? problem,
  ].filter((tag) => tag !== undefined && tag !== false);
  return (
    <span title={detail}>
      {tags.map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}{' '}
      {detail}
    </span>
  );
}
