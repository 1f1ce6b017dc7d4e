import { useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import { Detail } from '../parts/detail.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { OpenApiDocument } from '../reference/document.js';
import { SchemaList } from '../reference/schema-list.js';
import type { AnyRecord, Collection } from './collections.js';

interface EditorProps {
  readonly account: string;
  readonly path: string;
  readonly collection: Collection;
  readonly id: string;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** One record as JSON, to be edited against its schema, deleted and brought back. */
export function RecordEditor(props: EditorProps) {
  const { account, path, collection, id, onChange, onClose } = props;
  const url = `/${path}/${encodeURIComponent(id)}`;
  const loaded = useLoaded(() => call<AnyRecord>(url, { account }), `${account} ${url}`);
  const document = useLoaded(() => call<OpenApiDocument>('/openapi.json', { account }), account);
  const [text, setText] = useState<string>();
  const [done, setDone] = useState('');
  const action = useAction(() => {
    setText(undefined);
    loaded.reload();
    onChange();
  });
  const act = (words: string, run: () => Promise<unknown>) => {
    setDone('');
    return action.run(async () => {
      await run();
      setDone(words);
    });
  };
  const record = loaded.value;
  const save = () =>
    call(`/${path}?replace=true`, { method: 'POST', account, body: parse(text ?? '') });
  const patch = (body: object) => call(url, { method: 'PATCH', account, body });
  const isDeleted = record?.deletedAt !== undefined;
  return (
    <Detail label={`Record ${id}`} title={id} onClose={onClose}>
      <Errors sentences={[loaded.error, ...action.errors]} />
      {record && (
        <>
          <label>
            {collection.schema}
            <textarea
              rows={18}
              spellcheck={false}
              value={text ?? JSON.stringify(record, null, 2)}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          <p class="bar">
            <button type="button" disabled={text === undefined} onClick={() => act('Saved.', save)}>
              Save
            </button>
            {collection.hasTombstones && !isDeleted && (
              <button
                type="button"
                onClick={() =>
                  act('Deleted.', async () => patch({ deletedAt: await nowOf(account) }))
                }
              >
                Delete
              </button>
            )}
            {isDeleted && (
              <button
                type="button"
                onClick={() => act('Brought back.', () => patch({ deletedAt: null }))}
              >
                Bring back
              </button>
            )}
            <button
              type="button"
              onClick={() =>
                action.run(async () => {
                  await call(url, { method: 'DELETE', account });
                  onClose();
                })
              }
            >
              Remove without a trace
            </button>
            <span role="status">{done}</span>
          </p>
        </>
      )}
      {document.value && (
        <details>
          <summary>Schema</summary>
          <SchemaList
            document={document.value}
            schema={{ $ref: `#/components/schemas/${collection.schema}` }}
          />
        </details>
      )}
    </Detail>
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`);
  }
}

/** A deletion has the time of the account. */
async function nowOf(account: string): Promise<string> {
  const { now } = await call<{ now: string }>('/clock', { account });
  return now;
}
