import { useState } from 'preact/hooks';
import { call, type Schemas } from '../connection/call.js';
import { addressOf, type StreamedRequest } from '../connection/request-log.js';
import type { Undo } from '../connection/undo.js';
import { Button, TextArea } from '../parts/controls.js';
import { Detail } from '../parts/detail.js';
import { Form, readJson } from '../parts/form.js';
import { useKept } from '../parts/kept.js';
import { hrefOf, hrefWith } from '../parts/route.js';
import { Errors, useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import { resolve, type Schema, useDocument } from '../reference/document.js';
import { SchemaList } from '../reference/schema-list.js';
import { type AnyRecord, type Collection, hasTombstones, textOf } from './collections.js';
import { ofMark } from './use-records.js';

/** Stands in for the id of a record that does not exist yet. */
export const NEW = '*';

interface EditorProps {
  readonly account: string;
  readonly collection: Collection;
  readonly id: string;
  /** Changes when the record may have been changed. */
  readonly version: string;
  /** How it differs from the record in the dataset, if it does. */
  readonly mark: string | undefined;
  /** The requests of the account that the page knows, newest first. */
  readonly requests: readonly StreamedRequest[];
  readonly undo: Undo;
  readonly onChange: () => void;
  /** Opens another record instead, or none. */
  readonly onOpen: (id: string | undefined) => void;
}

export function RecordEditor(props: EditorProps) {
  const { account, collection, id, version, mark, requests, undo, onChange, onOpen } = props;
  const { path } = collection;
  const isNew = id === NEW;
  const isRemoved = mark === 'removed';
  const isChanged = isRemoved || mark === 'updated';
  const url = isNew ? `/${path}` : `/${path}/${encodeURIComponent(id)}`;
  const schema = { $ref: `#/components/schemas/${collection.schema}` };
  const document = useDocument(account);
  const load = isNew ? undefined : () => call<AnyRecord>(url, { account, query: ofMark(mark) });
  const loaded = useLoaded(load, `${url} ${version} ${isRemoved}`, { keeps: true });
  const template = document.value && templateOf(resolve(document.value, schema));
  const stored = isNew ? template : loaded.value;
  const [typed, type] = useKept<string | undefined>(`${account} ${path} ${id}`, undefined);
  const [done, setDone] = useState('');
  const action = useAction();
  const change = async (method: string, words: string, body: unknown) => {
    setDone('');
    const changed = await call<AnyRecord>(url, { method, account, body });
    if (method !== 'PATCH') type(undefined);
    if (method === 'POST') onOpen(changed.id);
    setDone(words);
    loaded.reload();
    onChange();
  };
  /** Makes a change that the notice at the top undoes. */
  const changeUndoably = async (words: string, act: () => Promise<unknown>) => {
    const body = await call<AnyRecord>(url, { account });
    await act();
    undo.note({ account, words, undo: { method: 'PUT', path: url, body } });
  };
  const remove = async () => {
    await changeUndoably(`Removed ${id} from ${path}.`, () =>
      call(url, { method: 'DELETE', account }),
    );
    // The row, which would get the focus back, is about to go.
    globalThis.document.getElementById('main')?.focus({ preventScroll: true });
    onOpen(undefined);
    onChange();
  };
  const goBack = async () => {
    const words = `Put ${id} in ${path} back to the dataset.`;
    const act = async () =>
      change('PUT', 'Back to the dataset.', await readFromDataset(account, url));
    if (!isRemoved) return changeUndoably(words, act);
    await act();
    undo.note({ account, words, undo: { method: 'DELETE', path: url } });
  };
  const submit = () => {
    const body = typed === undefined ? stored : readJson(typed, '');
    return isNew ? change('POST', '', body) : change('PUT', 'Saved.', body);
  };
  const isDeleted = loaded.value?.deletedAt !== undefined;
  return (
    <Detail
      label={isNew ? 'New record' : `Record ${id}`}
      title={isNew ? `New: ${collection.schema}` : titleOf(loaded.value, id)}
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
          {isDeleted && <DeletedBy {...{ account, requests }} record={loaded.value} />}
        </p>
      )}
      {loaded.value && mark === 'updated' && (
        <RecordDiff record={loaded.value} {...{ account, url, version }} />
      )}
      {stored && (
        <Form onSubmit={submit}>
          <TextArea
            label={collection.schema}
            name=""
            rows={18}
            value={typed ?? JSON.stringify(stored, null, 2)}
            onValue={type}
          />
          <p class="bar">
            <button type="submit" disabled={!isNew && typed === undefined}>
              {isNew ? 'Add' : 'Save'}
            </button>
            {typed !== undefined && (
              <Button onClick={() => type(undefined)}>Discard changes</Button>
            )}
            {isChanged && <Button onClick={() => action.run(goBack)}>Back to the dataset</Button>}
            {!isNew && !isRemoved && hasTombstones(collection) && !isDeleted && (
              <Button
                title="Sets deletedAt, as the API does"
                onClick={() =>
                  action.run(async () => change('PATCH', 'Deleted.', await deletionOf(account)))
                }
              >
                Soft-delete
              </Button>
            )}
            {isDeleted && !isRemoved && (
              <Button
                onClick={() => action.run(() => change('PATCH', 'Restored.', { deletedAt: null }))}
              >
                Restore
              </Button>
            )}
            {!isNew && !isRemoved && (
              <Button
                title="Deletes it as if it had never existed"
                onClick={() => action.run(remove)}
              >
                Remove
              </Button>
            )}
            <span role="status">{done}</span>
          </p>
        </Form>
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

interface DeletedByProps extends Pick<EditorProps, 'account' | 'requests'> {
  readonly record: AnyRecord;
}

/** Leads to the request that deleted a record. */
function DeletedBy({ account, requests, record }: DeletedByProps) {
  const deletedAt = textOf(record.deletedAt);
  const names = [record.id, textOf(record.ref)].filter((name) => name !== '');
  const request = requests.find(
    ({ deleted, undone, at, path, body }) =>
      deleted !== undefined &&
      !undone &&
      at <= deletedAt &&
      names.some(
        (name) =>
          path.endsWith(`/${name}`) || JSON.stringify(body ?? '').includes(JSON.stringify(name)),
      ),
  );
  if (!request) return <span class="faint">Deleted by no request that is kept</span>;
  return (
    <a href={hrefOf('requests', account, addressOf(request))}>Deleted by request {request.id}</a>
  );
}

function titleOf(record: AnyRecord | undefined, id: string) {
  const name = record?.name ?? '';
  return (
    <>
      {String(name)} <code>{id}</code>
    </>
  );
}

function readFromDataset(account: string, url: string): Promise<AnyRecord> {
  return call(url, { account, query: { of: 'dataset' } });
}

interface DiffProps {
  readonly account: string;
  readonly url: string;
  readonly version: string;
  readonly record: AnyRecord;
}

function RecordDiff({ account, url, version, record }: DiffProps) {
  const load = () => readFromDataset(account, url);
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

/** Members that the mock sets. */
const OWN_MEMBERS = ['id', 'createdAt', 'updatedAt', 'deletedAt'];
/** Members that tell one record from others, or name others. */
const NAMING = /^(?:name|displayName|aliases|ref|\w+Id)$/;

/** A record to start from: the schema's example, without its names and ids. */
function templateOf({ example = {} }: Schema): object {
  const entries = Object.entries(example).filter(([name]) => !OWN_MEMBERS.includes(name));
  const blank = (name: string, value: unknown) => {
    if (!NAMING.test(name)) return value;
    return Array.isArray(value) ? [] : '';
  };
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)), blank);
}
