import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { call, NO_ACCOUNT, type Schemas } from '../connection/call.js';
import type { StreamedRequest } from '../connection/request-log.js';
import { Button } from '../parts/controls.js';
import { Detail } from '../parts/detail.js';
import { count, formatJson } from '../parts/texts.js';
import { Errors } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import { CopyRequest } from './copy-request.js';
import { statusOf } from './request-table.js';

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
  const { entries = [], comment } = value?.log ?? {};
  return (
    <Detail label={`Request ${id}`} title={`${method} ${path}`} onClose={onClose}>
      <p>
        {statusOf(request)} request {id} of {name}, {request.at}
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
      {entries.map(({ request: sent, response }) => (
        <Fragment key={id}>
          <CopyRequest request={sent} />
          <Message
            title="Request"
            firstLine={`${sent.method} ${sent.url} ${sent.httpVersion}`}
            headers={sent.headers}
            body={sent.postData?.text}
            comment={sent.comment}
          />
          <Message
            title="Answer"
            firstLine={`${response.httpVersion} ${response.status} ${response.statusText}`}
            headers={response.headers}
            body={response.content.text}
            comment={comment === undefined ? response.content.comment : NOT_KEPT}
          />
        </Fragment>
      ))}
      {value && entries.length === 0 && (
        <p>
          It is under way. <Button onClick={reload}>Look again</Button>
        </p>
      )}
    </Detail>
  );
}

async function load({ id, account = NO_ACCOUNT }: StreamedRequest) {
  const [explained, har] = await Promise.all([
    call<Schemas['Explanation']>(`/requests/${id}/explain`, { account }),
    call<Schemas['Har']>(`/requests/${id}`, { account, query: { format: 'har' } }),
  ]);
  return { ...explained, ...har };
}

interface MessageProps {
  readonly title: string;
  readonly firstLine: string;
  readonly headers: Schemas['HarRequest']['headers'];
  readonly body: string | undefined;
  /** Why there is no body. */
  readonly comment: string | undefined;
}

/** A request or a response, formatted or as it was sent. */
function Message({ title, firstLine, headers, body, comment }: MessageProps) {
  const [isRaw, setRaw] = useState(false);
  const fields = headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
  return (
    <section aria-label={title}>
      <div class="bar">
        <h4>{title}</h4>
        <Button aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          Raw
        </Button>
      </div>
      {isRaw ? (
        <pre>{[firstLine, fields, '', body ?? ''].join('\n')}</pre>
      ) : (
        <>
          {headers.length > 0 && (
            <details>
              <summary>{count(headers.length, 'header field')}</summary>
              <pre>{fields}</pre>
            </details>
          )}
          {body !== undefined && <pre>{formatJson(body)}</pre>}
        </>
      )}
      {comment !== undefined && <p class="faint">{comment}</p>}
    </section>
  );
}
