import type { StreamedRequest } from '../connection/follow-requests.js';

interface TableProps {
  readonly requests: readonly StreamedRequest[];
  readonly opened: StreamedRequest | undefined;
  readonly onOpen: (request: StreamedRequest) => void;
  /** The name of an account, where they are shown. */
  readonly nameOf: ((id: string | undefined) => string) | undefined;
}

/** Requests, a row each. */
export function RequestTable({ requests, opened, onOpen, nameOf }: TableProps) {
  return (
    <table class="requests">
      <caption class="hidden">Requests, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Request</th>
          <th scope="col">Status</th>
          <th
            scope="col"
            class="number"
            title="Milliseconds; 0 while the clock of the account is frozen"
          >
            ms
          </th>
          <th scope="col">{nameOf ? 'Account' : 'Why'}</th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <tr
            key={`${request.account} ${request.id}`}
            class={request.id === opened?.id && request.account === opened.account ? 'opened' : ''}
          >
            <td class="time">{request.at.slice(11, 23)}</td>
            <td>
              <button type="button" class="link" onClick={() => onOpen(request)}>
                <b>{request.method}</b> {request.path}
                {request.query !== undefined && <span class="faint">?{request.query}</span>}
              </button>
            </td>
            <td>
              <Status request={request} />
            </td>
            <td class="number">{request.durationMs ?? '…'}</td>
            <td class="why">{nameOf ? nameOf(request.account) : <Why request={request} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The status of the answer, in a colour and in words. */
export function Status({ request: { status, outcome } }: { readonly request: StreamedRequest }) {
  if (status === undefined) {
    return <span class="status none">{outcome === undefined ? 'under way' : 'no answer'}</span>;
  }
  return <span class={`status s${String(status)[0]}`}>{status}</span>;
}

/** On what the answer rests, as tags, and the refusal in words, as far as there is room. */
function Why({ request }: { readonly request: StreamedRequest }) {
  const { account, fault, stub, problem, decision, detail } = request;
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
