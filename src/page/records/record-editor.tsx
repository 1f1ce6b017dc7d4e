import { sortableInstant } from '../../core/values/time.js';
import { addressOf, type StreamedRequest } from '../connection/request-log.js';
import { Button, TextArea } from '../parts/controls.js';
import { Detail } from '../parts/detail.js';
import { Form } from '../parts/form.js';
import { hrefOf, hrefWith } from '../parts/route.js';
import { Errors } from '../parts/use-action.js';
import { type AnyRecord, hasTombstones, textOf } from './collections.js';
import { RecordDiff } from './record-diff.js';
import { SchemaList } from './schema-list.js';
import { type RecordPlace, useRecord } from './use-record.js';

interface EditorProps extends RecordPlace {
  /** The requests of the account that the page knows, newest first. */
  readonly requests: readonly StreamedRequest[];
}

export function RecordEditor({ requests, ...place }: EditorProps) {
  const { account, collection, id, version, mark, onOpen } = place;
  const editing = useRecord(place);
  const { url, schema, api, isNew, record, stored, typed, setTyped } = editing;
  return (
    <Detail
      label={isNew ? 'New record' : `Record ${id}`}
      title={isNew ? `New: ${collection.schema}` : titleOf(record, id)}
      onClose={() => onOpen(undefined)}
    >
      {isNew && <p class="faint">The mock adds an id if you give none.</p>}
      <Errors sentences={editing.errors} />
      {record && (
        <p class="bar">
          {collection.relationsOf(record).map(([words, of, other, text = '']) => (
            <a key={words} href={hrefWith({ text }, 'records', account, of, other)}>
              {words}
            </a>
          ))}
          {record.deletedAt !== undefined && <DeletedBy {...{ account, requests, record }} />}
        </p>
      )}
      {record && mark === 'updated' && <RecordDiff {...{ record, account, url, version }} />}
      {stored && (
        <Form onSubmit={editing.save}>
          <TextArea
            label={collection.schema}
            name=""
            rows={18}
            value={typed ?? JSON.stringify(stored, null, 2)}
            onValue={setTyped}
          />
          <RecordActions hasTombstones={hasTombstones(collection)} editing={editing} />
        </Form>
      )}
      {api && (
        <details>
          <summary>Schema</summary>
          <SchemaList document={api} schema={schema} />
        </details>
      )}
    </Detail>
  );
}

interface ActionsProps {
  readonly hasTombstones: boolean;
  readonly editing: ReturnType<typeof useRecord>;
}

function RecordActions({ hasTombstones, editing }: ActionsProps) {
  const { isNew, isRemoved, isChanged, typed } = editing;
  const isStored = !isNew && !isRemoved;
  const isDeleted = editing.record?.deletedAt !== undefined;
  return (
    <p class="bar">
      <button type="submit" disabled={!isNew && typed === undefined}>
        {isNew ? 'Add' : 'Save'}
      </button>
      {typed !== undefined && (
        <Button onClick={() => editing.setTyped(undefined)}>Discard changes</Button>
      )}
      {isChanged && <Button onClick={editing.revertToDataset}>Back to the dataset</Button>}
      {isStored && hasTombstones && !isDeleted && (
        <Button title="Sets deletedAt, as the API does" onClick={editing.softDelete}>
          Soft-delete
        </Button>
      )}
      {isStored && isDeleted && <Button onClick={editing.restore}>Restore</Button>}
      {isStored && (
        <Button title="Deletes it as if it had never existed" onClick={editing.remove}>
          Remove
        </Button>
      )}
      <span role="status">{editing.done}</span>
    </p>
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
      sortableInstant(at) <= sortableInstant(deletedAt) &&
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
