import { useState } from 'preact/hooks';
import { call, type Schemas } from '../connection/call.js';
import { Button } from '../parts/controls.js';
import { useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { AnyRecord } from './collections.js';
import { DraftEditor, type EditorProps, parseDraft, useDraft } from './draft-editor.js';

interface RecordProps extends EditorProps {
  readonly id: string;
  /** Changes when the record may have been changed elsewhere. */
  readonly version: string;
  readonly onChange: () => void;
}

/** One record as JSON, to be edited against its schema, deleted and brought back. */
export function RecordEditor({ id, version, onChange, ...editor }: RecordProps) {
  const { account, path, collection, onClose } = editor;
  const url = `/${path}/${encodeURIComponent(id)}`;
  const load = () => call<AnyRecord>(url, { account });
  const { value: record, error, reload } = useLoaded(load, `${url} ${version}`, { keeps: true });
  const draft = useDraft(account, path, id);
  const [done, setDone] = useState('');
  const action = useAction(() => {
    reload();
    onChange();
  });
  const change = (words: string, method: string, makeBody: () => unknown, andThen = () => {}) => {
    setDone('');
    return action.run(async () => {
      await call(url, { method, account, body: await makeBody() });
      andThen();
      setDone(words);
    });
  };
  const discard = () => draft.type(undefined);
  // The id of the path is the record's: with another one in the text the mock refuses it.
  const save = () => change('Saved.', 'PUT', () => parseDraft(draft), discard);
  const remove = () => change('Deleted.', 'PATCH', async () => ({ deletedAt: await now(account) }));
  const bringBack = () => change('Brought back.', 'PATCH', () => ({ deletedAt: null }));
  const removeCompletely = () =>
    change(
      'Removed.',
      'DELETE',
      () => undefined,
      () => {
        discard();
        onClose();
      },
    );
  const isDeleted = record?.deletedAt !== undefined;
  return (
    <DraftEditor
      {...editor}
      label={`Record ${id}`}
      title={id}
      draft={draft}
      stored={record}
      errors={[error, ...action.errors]}
    >
      <p class="bar">
        <Button disabled={draft.typed === undefined} onClick={save}>
          Save
        </Button>
        {draft.typed !== undefined && <Button onClick={discard}>Discard</Button>}
        {collection.hasTombstones && !isDeleted && <Button onClick={remove}>Delete</Button>}
        {isDeleted && <Button onClick={bringBack}>Bring back</Button>}
        <RemoveCompletely onConfirm={removeCompletely} />
        <span role="status">{done}</span>
      </p>
    </DraftEditor>
  );
}

/** It cannot be brought back: a second click says that it is meant. */
function RemoveCompletely({ onConfirm }: { readonly onConfirm: () => void }) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) return <Button onClick={() => setAsking(true)}>Remove completely</Button>;
  return (
    <span class="bar">
      It leaves no tombstone and cannot be brought back.
      <Button onClick={onConfirm}>Yes, remove it</Button>
      <Button onClick={() => setAsking(false)}>Keep it</Button>
    </span>
  );
}

/** A deletion has the time of the account. */
async function now(account: string): Promise<string> {
  return (await call<Schemas['Clock']>('/clock', { account })).now;
}
