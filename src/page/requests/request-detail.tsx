import type { components } from '../../generated/control.js';
import { call } from '../connection/call.js';
import type { StreamedRequest } from '../connection/follow-requests.js';
import { Detail } from '../parts/detail.js';
import { Errors } from '../parts/errors.js';
import { useLoaded } from '../parts/use-loaded.js';
import { Copy } from './copy.js';
import { Message } from './message.js';
import { Status } from './request-table.js';

type Har = components['schemas']['Har'];
type Explanation = components['schemas']['Explanation'];

interface DetailProps {
  readonly request: StreamedRequest;
  readonly name: string;
  readonly onClose: () => void;
}

/** One request: what was sent, what was answered, and why so. */
export function RequestDetail({ request, name, onClose }: DetailProps) {
  const { id, account, method, path } = request;
  const { value, error, reload } = useLoaded(() => load(request), `${account} ${id}`);
  const entry = value?.har.log.entries[0];
  return (
    <Detail label={`Request ${id}`} title={`${method} ${path}`} onClose={onClose}>
      <p>
        <Status request={request} /> request {id} of {name}, {request.at}
      </p>
      <Errors sentences={[error]} />
      {value?.explanation.map((sentence) => (
        <p key={sentence} class="explanation">
          {sentence}
        </p>
      ))}
      {request.decision !== undefined && (
        <p>
          Switch <code>{request.decision}</code> under <a href="#situation">Situation</a>, or with{' '}
          <code>--decide {request.decision}=…</code>
        </p>
      )}
      {entry && (
        <>
          <Copy entry={entry} />
          <Message
            title="Request"
            firstLine={`${entry.request.method} ${entry.request.url} ${entry.request.httpVersion}`}
            headers={entry.request.headers}
            body={entry.request.postData?.text}
            comment={entry.request.comment}
          />
          <Message
            title="Answer"
            firstLine={`${entry.response.httpVersion} ${entry.response.status} ${entry.response.statusText}`}
            headers={entry.response.headers}
            body={entry.response.content.text}
            comment={entry.response.content.comment}
          />
        </>
      )}
      {value && !entry && (
        <p>
          It is under way.{' '}
          <button type="button" onClick={reload}>
            Look again
          </button>
        </p>
      )}
    </Detail>
  );
}

async function load({ id, account }: StreamedRequest) {
  const query = account === undefined ? '?of=server' : '';
  const [{ explanation }, har] = await Promise.all([
    call<Explanation>(`/requests/${id}/explain${query}`, { account }),
    call<Har>(`/requests/${id}${query ? `${query}&` : '?'}format=har`, { account }),
  ]);
  return { explanation, har };
}
