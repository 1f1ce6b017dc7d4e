import { useState } from 'preact/hooks';
import { parseJson } from '../../values/parse-json.js';
import { call, type Schemas } from '../connection/call.js';
import type { Undo } from '../connection/undo.js';
import { Button, JsonField, useKept } from '../parts/controls.js';
import { Detail } from '../parts/detail.js';
import { hrefWith } from '../parts/route.js';
import { Errors, useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import { resolve, type Schema, useDocument } from '../reference/document.js';
import { SchemaList } from '../reference/schema-list.js';
import { type AnyRecord, type Collection, hasTombstones } from './collections.js';

/** Stands in for the id of a record that does not exist yet. */
export const NEW = '*';

interface EditorProps {
  readonly account: string;
  readonly collection: Collection;
  readonly id: string;
  /** Changes when the record may have been changed. */
  readonly version: string;
  /** Whether it differs from the record in the dataset. */
  readonly isChanged: boolean;
  readonly undo: Undo;
  readonly onChange: () => void;
  /** Opens another record instead, or none. */
  readonly onOpen: (id: string | undefined) => void;
}

export function RecordEditor(props: EditorProps) {
  const { account, collection, id, version, isChanged, undo, onChange, onOpen } = props;
  const { path } = collection;
  const isNew = id === NEW;
  const url = isNew ? `/${path}` : `/${path}/${encodeURIComponent(id)}`;
  const schema = { $ref: `#/components/schemas/${collection.schema}` };
  const document = useDocument(account);
  const load = isNew ? undefined : () => call<AnyRecord>(url, { account });
  const loaded = useLoaded(load, `${url} ${version}`, { keeps: true });
  const skeleton = document.value && skeletonOf(resolve(document.value, schema));
  const stored = isNew ? skeleton : loaded.value;
  const [typed, type] = useKept<string | undefined>(`${account} ${path} ${id}`, undefined);
  const [done, setDone] = useState('');
  const action = useAction();
  const change = (method: string, words: string, makeBody: () => unknown) =>
    action.run(async () => {
      setDone('');
      const body = await makeBody();
      const changed = await call<AnyRecord>(url, { method, account, body });
      if (method !== 'PATCH') type(undefined);
      if (method === 'POST') onOpen(changed.id);
      setDone(words);
      loaded.reload();
      onChange();
    });
  const remove = () =>
    action.run(async () => {
      const body = await call<AnyRecord>(url, { account });
      await call(url, { method: 'DELETE', account });
      const words = `Removed ${id} from ${path}.`;
      undo.note({ account, words, undo: { method: 'PUT', path: url, body } });
      // The row, which would get the focus back, is about to go.
      globalThis.document.getElementById('main')?.focus({ preventScroll: true });
      onOpen(undefined);
      onChange();
    });
  const parse = () => (typed === undefined ? stored : parseRecord(typed));
  const isDeleted = loaded.value?.deletedAt !== undefined;
  return (
    <Detail
      label={isNew ? 'New record' : `Record ${id}`}
      title={isNew ? `New: ${collection.schema}` : id}
      onClose={() => onOpen(undefined)}
    >
      {isNew && <p class="faint">The mock adds an id if you give none.</p>}
      <Errors sentences={[isNew ? document.error : loaded.error, ...action.errors]} />
      {loaded.value && (
        <p class="bar">
          {collection.relationsOf(loaded.value).map(([words, of, record, text = '']) => (
            <a key={words} href={hrefWith({ text }, 'records', account, of, record)}>
              {words}
            </a>
          ))}
        </p>
      )}
      {loaded.value && isChanged && (
        <RecordDiff record={loaded.value} {...{ account, url, version }} />
      )}
      {stored && (
        <>
          <JsonField
            label={collection.schema}
            rows={18}
            value={typed ?? JSON.stringify(stored, null, 2)}
            onValue={type}
          />
          {isNew ? (
            <p>
              <Button disabled={action.isRunning} onClick={() => change('POST', '', parse)}>
                Add
              </Button>
            </p>
          ) : (
            <p class="bar">
              <Button disabled={typed === undefined} onClick={() => change('PUT', 'Saved.', parse)}>
                Save
              </Button>
              {typed !== undefined && (
                <Button onClick={() => type(undefined)}>Discard changes</Button>
              )}
              {hasTombstones(collection) && !isDeleted && (
                <Button
                  title="Sets deletedAt, as the API does"
                  onClick={() => change('PATCH', 'Deleted.', () => deletionOf(account))}
                >
                  Soft-delete
                </Button>
              )}
              {isDeleted && (
                <Button onClick={() => change('PATCH', 'Undeleted.', () => ({ deletedAt: null }))}>
                  Undelete
                </Button>
              )}
              <Button title="Deletes it as if it had never existed" onClick={remove}>
                Remove
              </Button>
              <span role="status">{done}</span>
            </p>
          )}
        </>
      )}
      {document.value && (
        <details>
          <summary>Schema</summary>
          <SchemaList document={document.value} schema={schema} />
        </details>
      )}
    </Detail>
  );
}

interface DiffProps {
  readonly account: string;
  readonly url: string;
  readonly version: string;
  readonly record: AnyRecord;
}

function RecordDiff({ account, url, version, record }: DiffProps) {
  const load = () => call<AnyRecord>(url, { account, query: { of: 'dataset' } });
  const { value: before } = useLoaded(load, `${url} ${version}`, { keeps: true });
  if (!before) return null;
  const members = [...new Set([...Object.keys(before), ...Object.keys(record)])].map(
    (name) => [name, JSON.stringify(before[name]), JSON.stringify(record[name])] as const,
  );
  return (
    <dl class="diff" aria-label="Changes from the dataset">
      {members
        .filter(([, old, now]) => old !== now)
        .map(([name, old, now]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {old !== undefined && <del>{old}</del>} {now !== undefined && <ins>{now}</ins>}
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** A patch that deletes a record at the account's current time. */
async function deletionOf(account: string): Promise<Partial<AnyRecord>> {
  const { now } = await call<Schemas['Clock']>('/clock', { account });
  return { deletedAt: now };
}

function parseRecord(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`This cannot be read as JSON: ${(error as Error).message}`);
  }
}

/** Members that the mock sets. */
const OWN_MEMBERS = ['id', 'createdAt', 'updatedAt', 'deletedAt'];

/** A record to start from, made of the schema's example. */
function skeletonOf({ example = {} }: Schema): object {
  return Object.fromEntries(
    Object.entries(example).filter(([name]) => !OWN_MEMBERS.includes(name)),
  );
}
