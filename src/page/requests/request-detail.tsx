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
type HarEntry = components['schemas']['HarEntry'];
type Explanation = components['schemas']['Explanation'];

const NOT_KEPT = 'This was answered before the page was open; answers from now on are kept.';

interface DetailProps {
  readonly request: StreamedRequest;
  readonly name: string;
  readonly onClose: () => void;
}

/** One request: what was sent, what was answered, and why so. */
export function RequestDetail({ request, name, onClose }: DetailProps) {
  const { id, account, method, path, decision } = request;
  const { value, error, reload } = useLoaded(() => load(request), `${account} ${id}`);
  const { entries = [], comment } = value?.har.log ?? {};
  const title = (
    <>
      {method} <span class="wrap">{path}</span>
    </>
  );
  return (
    <Detail label={`Request ${id}`} title={title} onClose={onClose}>
      <p>
        <Status request={request} /> request {id} of {name}, {request.at}
      </p>
      <Errors sentences={[error]} />
      {value?.explanation.map((sentence) => (
        <p key={sentence} class="explanation">
          {sentence}
        </p>
      ))}
      {decision !== undefined && (
        <p>
          Switch <code>{decision}</code> under <a href="#situation">Situation</a>, or with{' '}
          <code>--decide {decision}=…</code>
        </p>
      )}
      {entries.map((entry) => (
        <Exchange key={id} entry={entry} isKept={comment === undefined} />
      ))}
      {value && entries.length === 0 && (
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

interface ExchangeProps {
  readonly entry: HarEntry;
  /** Whether the answer was kept. */
  readonly isKept: boolean;
}

function Exchange({ entry, isKept }: ExchangeProps) {
  const { request, response } = entry;
  const { content } = response;
  return (
    <>
      <Copy entry={entry} />
      <Message
        title="Request"
        firstLine={`${request.method} ${request.url} ${request.httpVersion}`}
        headers={request.headers}
        body={request.postData?.text}
        comment={request.comment}
      />
      <Message
        title="Answer"
        firstLine={`${response.httpVersion} ${response.status} ${response.statusText}`}
        headers={response.headers}
        body={content.text}
        comment={isKept ? content.comment : NOT_KEPT}
      />
    </>
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
