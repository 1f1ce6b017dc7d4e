import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { Behaviour } from '../behaviour/use-behaviour.js';
import { CallError, call, type Schemas } from '../connection/call.js';
import {
  isNamed,
  receivedAtOf,
  type StreamedRequest,
  targetOf,
} from '../connection/request-log.js';
import { rewindWords, type Undo, undoneBy } from '../connection/undo.js';
import { Button } from '../parts/controls.js';
import { Detail } from '../parts/detail.js';
import { Ago, count, formatJson, Pre, Words } from '../parts/format.js';
import { hrefWith } from '../parts/route.js';
import { Errors, useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import { CopyRequest } from './copy-request.js';
import { LetGo } from './let-go.js';
import { statusOf } from './request-table.js';

interface DetailProps {
  readonly owner: string;
  /** What names it in the address. */
  readonly opened: string;
  /** Undefined if the page has not seen it, or it was cleared. */
  readonly request: StreamedRequest | undefined;
  /** The name of its account. */
  readonly name: string;
  /** The requests of its account that the page knows, newest first. */
  readonly later: readonly StreamedRequest[];
  readonly undo: Undo;
  readonly behaviour: Behaviour;
  readonly onClose: () => void;
}

export function RequestDetail(props: DetailProps) {
  const { owner, opened, request: seen, name, later, undo, behaviour, onClose } = props;
  const [id = ''] = opened.split('-');
  // Again when it ends, or the page no longer sees it: the journal may have been cleared.
  const key = `${owner} ${opened} ${seen !== undefined} ${seen?.outcome}`;
  const { value, error } = useLoaded(() => load(owner, opened), key, { keeps: true });
  const { entries = [] } = value?.log ?? {};
  const request = seen ?? value?.request;
  const action = useAction();
  const decision = request?.decision;
  const undone = request ? undoneBy(request, later) : [];
  const isOpen = owner === behaviour.account;
  if (value?.isGone)
    return (
      <Detail label={`Request ${id}`} title={`Request ${id}`} {...{ onClose }}>
        <p>
          Request {id} of {name} is gone: its journal was reset or cleared, or made room for later
          requests.
        </p>
      </Detail>
    );
  const title = request && (
    <>
      {statusOf(request)} {request.method} <bdi>{targetOf(request)}</bdi>
    </>
  );
  return (
    <Detail label={`Request ${id}`} title={title ?? `Request ${id}`} onClose={onClose}>
      <p class="faint">
        Request {id} of {name}
        {request && (
          <>
            , <When {...request} />
            {request.durationMs !== undefined && `, in ${request.durationMs} ms`}
          </>
        )}
      </p>
      <Errors sentences={[error, ...action.errors]} />
      {!value && !error && <p>Loading…</p>}
      {value && (
        <div class="why">
          {value.explanation.map((sentence) => (
            <p key={sentence}>
              <Words text={sentence} />
            </p>
          ))}
          {decision !== undefined && (
            <p>
              Switch{' '}
              <a href={hrefWith({ text: decision }, 'decisions')}>
                <code>{decision}</code>
              </a>
              , or start the mock with <code>--decide {decision}=…</code>
            </p>
          )}
        </div>
      )}
      {isOpen && request && (
        <p class="bar">
          <Button
            disabled={action.isRunning}
            // Not `disabled`, which would take the focus from it once it has been used.
            aria-disabled={undone.length === 0}
            onClick={() => undone.length > 0 && action.run(() => undo.rewind(owner, name, id))}
          >
            Back to before this request
          </Button>
          <span class="faint">{rewindWords(undone)}</span>
        </p>
      )}
      {entries.map(({ request: sent, response }) => (
        <Fragment key={id}>
          <CopyRequest
            account={isOpen ? owner : undefined}
            request={sent}
            status={response.status}
          />
          <Message
            title="Request"
            firstLine={`${sent.method} ${sent.url} ${sent.httpVersion}`}
            headers={sent.headers}
            body={sent.postData?.text}
            comment={sent.comment}
          />
          <Message
            title="Response"
            firstLine={`${response.httpVersion} ${response.status} ${response.statusText}`}
            headers={response.headers}
            body={response.content.text}
            comment={response.status < 0 ? 'No response was sent.' : response.content.comment}
          />
        </Fragment>
      ))}
      {value && entries.length === 0 && request && (
        <>
          <p>No response yet. {seen && <LetGo {...{ behaviour, request: seen }} />}</p>
          <Message title="Request" {...pendingMessage(request)} />
        </>
      )}
    </Detail>
  );
}

/** When a request was received, in real time and, if that differs, by the account's clock. */
function When(request: StreamedRequest) {
  const receivedAt = receivedAtOf(request);
  const isAhead = Math.abs(Date.parse(receivedAt) - Date.parse(request.at)) > 1_000;
  return (
    <>
      <Ago at={receivedAt} />, at {receivedAt.slice(11, 23)} UTC
      {isAhead && `, when the account's clock showed ${inUtc(request.at)}`}
    </>
  );
}

function inUtc(at: string): string {
  return at.replace('T', ' ').replace('Z', ' UTC');
}

/** Whether a request is gone; what the mock knows of it if not. */
async function load(account: string, opened: string) {
  const [id] = opened.split('-');
  const gone = { isGone: true, request: undefined, explanation: [], log: undefined };
  try {
    const [request, { explanation }, { log }] = await Promise.all([
      call<Schemas['JournalRequest']>(`/requests/${id}`, { account }),
      call<Schemas['Explanation']>(`/requests/${id}/explain`, { account }),
      call<Schemas['Har']>(`/requests/${id}/har`, { account }),
    ]);
    return isNamed(opened, request) ? { isGone: false, request, explanation, log } : gone;
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return gone;
    throw error;
  }
}

/** What has arrived of a request that waits; an archive has only those that have ended. */
function pendingMessage(request: StreamedRequest) {
  const { method, headers, body } = request;
  return {
    firstLine: `${method} ${targetOf(request)}`,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value: String(value) })),
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    comment: undefined,
  };
}

interface MessageProps {
  readonly title: string;
  readonly firstLine: string;
  readonly headers: Schemas['HarRequest']['headers'];
  readonly body: string | undefined;
  /** Why there is no body. */
  readonly comment: string | undefined;
}

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
        <Pre label={`${title}, raw`}>{[firstLine, fields, '', body ?? ''].join('\n')}</Pre>
      ) : (
        <>
          {headers.length > 0 && (
            <details>
              <summary>{count(headers.length, 'header')}</summary>
              <Pre label={`Headers of the ${title.toLowerCase()}`}>{fields}</Pre>
            </details>
          )}
          {body !== undefined && (
            <Pre label={`Body of the ${title.toLowerCase()}`}>{formatJson(body)}</Pre>
          )}
        </>
      )}
      {comment !== undefined && <p class="faint">{comment}</p>}
    </section>
  );
}
