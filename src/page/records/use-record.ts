import { useState } from 'preact/hooks';
import { followReference, type OpenApiDocument } from '#spec';
import { call, type Schemas } from '../connection/call.js';
import type { Undo } from '../connection/undo.js';
import { readJson } from '../parts/form.js';
import { useAction } from '../parts/use-action.js';
import { useKept } from '../parts/use-kept.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { AnyRecord, Collection } from './collections.js';
import { type Schema, useDocument } from './document.js';
import { ofMark } from './use-records.js';

/** Stands in for the id of a record that does not exist yet. */
export const NEW = '*';

export interface RecordPlace {
  readonly account: string;
  readonly collection: Collection;
  readonly id: string;
  /** Changes when the record may have been changed. */
  readonly version: string;
  /** How it differs from the record in the dataset, if it does. */
  readonly mark: string | undefined;
  readonly undo: Undo;
  readonly onChange: () => void;
  /** Opens another record instead, or none. */
  readonly onOpen: (id: string | undefined) => void;
}

/** A record to edit: what is stored, what was typed over it, and what can be done with it. */
export function useRecord(place: RecordPlace) {
  const { account, collection, id, version, mark, undo, onChange, onOpen } = place;
  const { path } = collection;
  const isNew = id === NEW;
  const isRemoved = mark === 'removed';
  const url = isNew ? `/${path}` : `/${path}/${encodeURIComponent(id)}`;
  const schema = { $ref: `#/components/schemas/${collection.schema}` };
  const api = useDocument(account);
  const load = isNew ? undefined : () => call<AnyRecord>(url, { account, query: ofMark(mark) });
  const loaded = useLoaded(load, `${url} ${version} ${isRemoved}`, { keeps: true });
  const stored = isNew ? api.value && templateOf(api.value, schema) : loaded.value;
  const { value: typed, onValue: setTyped } = useKept<string | undefined>(
    `${account} ${path} ${id}`,
    undefined,
  );
  const [done, setDone] = useState('');
  const action = useAction();

  async function change(method: 'POST' | 'PUT' | 'PATCH', body: unknown, words = '') {
    setDone('');
    const changed = await call<AnyRecord>(url, { method, account, body });
    if (method !== 'PATCH') setTyped(undefined);
    if (method === 'POST') onOpen(changed.id);
    setDone(words);
    loaded.reload();
    onChange();
  }

  /** Makes a change that the notice at the top undoes. */
  async function changeUndoably(words: string, act: () => Promise<unknown>) {
    const body = await call<AnyRecord>(url, { account });
    await act();
    undo.note({ account, words, undo: { method: 'PUT', path: url, body } });
  }

  async function remove() {
    await changeUndoably(`Removed ${id} from ${path}.`, () =>
      call(url, { method: 'DELETE', account }),
    );
    // The row, which would get the focus back, is about to go.
    document.getElementById('main')?.focus({ preventScroll: true });
    onOpen(undefined);
    onChange();
  }

  async function revertToDataset() {
    const words = `Put ${id} in ${path} back to the dataset.`;
    const revert = async () =>
      change('PUT', await readFromDataset(account, url), 'Back to the dataset.');
    if (!isRemoved) return changeUndoably(words, revert);
    await revert();
    undo.note({ account, words, undo: { method: 'DELETE', path: url } });
  }

  return {
    url,
    schema,
    api: api.value,
    isNew,
    isRemoved,
    isChanged: isRemoved || mark === 'updated',
    record: loaded.value,
    stored,
    typed,
    setTyped,
    /** What was done last, in words. */
    done,
    errors: [isNew ? api.error : loaded.error, ...action.errors],
    save() {
      const body = typed === undefined ? stored : readJson(typed, '');
      return isNew ? change('POST', body) : change('PUT', body, 'Saved.');
    },
    softDelete: () =>
      action.run(async () => change('PATCH', await deletionOf(account), 'Deleted.')),
    restore: () => action.run(() => change('PATCH', { deletedAt: null }, 'Restored.')),
    remove: () => action.run(remove),
    revertToDataset: () => action.run(revertToDataset),
  };
}

export function readFromDataset(account: string, url: string): Promise<AnyRecord> {
  return call(url, { account, query: { of: 'dataset' } });
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
function templateOf(document: OpenApiDocument, schema: Schema): object {
  const { example = {} } = followReference(schema, document) ?? {};
  const entries = Object.entries(example).filter(([name]) => !OWN_MEMBERS.includes(name));
  const blank = (name: string, value: unknown) => {
    if (!NAMING.test(name)) return value;
    return Array.isArray(value) ? [] : '';
  };
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)), blank);
}
