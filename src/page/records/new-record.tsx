import { call } from '../connection/call.js';
import { Detail } from '../parts/detail.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import { CollectionSchema, useDocument } from './collection-schema.js';
import type { AnyRecord, Collection } from './collections.js';
import { parseRecord, RecordTextArea, useRecordText } from './record-text.js';
import { skeletonOf } from './skeleton.js';

interface NewProps {
  readonly account: string;
  readonly path: string;
  readonly collection: Collection;
  readonly onAdd: (id: string) => void;
  readonly onClose: () => void;
}

/** A record to be added, which begins with the members of its schema. */
export function NewRecord({ account, path, collection, onAdd, onClose }: NewProps) {
  const document = useDocument(account);
  const text = useRecordText({ account, path, id: '' });
  const action = useAction();
  const skeleton = document.value && skeletonOf(document.value, collection.schema);
  const add = async () => {
    const body = text.typed === undefined ? skeleton : parseRecord(text.typed);
    const { id } = await call<AnyRecord>(`/${path}`, { method: 'POST', account, body });
    text.type(undefined);
    onAdd(id);
  };
  return (
    <Detail label="New record" title={`New: ${collection.schema}`} onClose={onClose}>
      <p class="faint">Without an id it is given one.</p>
      <Errors sentences={[document.error, ...action.errors]} />
      {skeleton && (
        <>
          <RecordTextArea label={collection.schema} text={text} stored={skeleton} />
          <p>
            <button type="button" disabled={action.isRunning} onClick={() => action.run(add)}>
              Add
            </button>
          </p>
        </>
      )}
      <CollectionSchema account={account} collection={collection} />
    </Detail>
  );
}
