import { useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import type { AnyRecord } from './collections.js';
import { keepDraft } from './drafts.js';
import type { EditorProps } from './editor-props.js';

interface ActionsProps extends EditorProps {
  readonly url: string;
  readonly record: AnyRecord;
  /** Runs what a person does, and says the words when it is done. */
  readonly act: (words: string, run: () => Promise<unknown>) => Promise<void>;
}

/** Deletes a record, brings it back, or removes it completely. */
export function RecordActions(props: ActionsProps) {
  const { account, collection, url, record, act } = props;
  const patch = (body: object) => call(url, { method: 'PATCH', account, body });
  const isDeleted = record.deletedAt !== undefined;
  const remove = () => act('Deleted.', async () => patch({ deletedAt: await nowOf(account) }));
  return (
    <>
      {collection.hasTombstones && !isDeleted && (
        <button type="button" onClick={remove}>
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
      <RemoveCompletely {...props} />
    </>
  );
}

/** It cannot be brought back: a second click says that it is meant. */
function RemoveCompletely({ account, path, id, url, act, onClose }: ActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = () =>
    act('Removed.', async () => {
      await call(url, { method: 'DELETE', account });
      keepDraft({ account, path, id }, undefined);
      onClose();
    });
  if (!isAsking) {
    return (
      <button type="button" onClick={() => setAsking(true)}>
        Remove completely
      </button>
    );
  }
  return (
    <span class="bar">
      It leaves no tombstone and cannot be brought back.
      <button type="button" onClick={remove}>
        Yes, remove it
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        Keep it
      </button>
    </span>
  );
}

/** A deletion has the time of the account. */
async function nowOf(account: string): Promise<string> {
  const { now } = await call<{ now: string }>('/clock', { account });
  return now;
}
