import { useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import { Detail } from '../parts/detail.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import { CollectionSchema } from './collection-schema.js';
import type { AnyRecord } from './collections.js';
import type { EditorProps } from './editor-props.js';
import { RecordActions } from './record-actions.js';
import { parseRecord, RecordTextArea, useRecordText } from './record-text.js';

/** One record as JSON, to be edited against its schema, deleted and brought back. */
export function RecordEditor(props: EditorProps) {
  const { account, path, collection, id, version, onChange, onClose } = props;
  const url = `/${path}/${encodeURIComponent(id)}`;
  const key = `${url} ${version}`;
  const loaded = useLoaded(() => call<AnyRecord>(url, { account }), key, undefined, true);
  const text = useRecordText({ account, path, id });
  const [done, setDone] = useState('');
  const action = useAction(() => {
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
  // The id of the path is the record's: with another one in the text the mock refuses it.
  const save = async () => {
    await call(url, { method: 'PUT', account, body: parseRecord(text.typed ?? '') });
    text.type(undefined);
  };
  const record = loaded.value;
  return (
    <Detail label={`Record ${id}`} title={id} onClose={onClose}>
      <Errors sentences={[loaded.error, ...action.errors]} />
      {record && (
        <>
          <RecordTextArea label={collection.schema} text={text} stored={record} />
          <p class="bar">
            <button
              type="button"
              disabled={text.typed === undefined}
              onClick={() => act('Saved.', save)}
            >
              Save
            </button>
            {text.typed !== undefined && (
              <button type="button" onClick={() => text.type(undefined)}>
                Discard
              </button>
            )}
            <RecordActions {...props} url={url} record={record} act={act} />
            <span role="status">{done}</span>
          </p>
        </>
      )}
      <CollectionSchema account={account} collection={collection} />
    </Detail>
  );
}
