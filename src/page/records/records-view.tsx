import { useState } from 'preact/hooks';
import type { AccountViewProps } from '../behaviour/use-behaviour.js';
import { call, type Schemas } from '../connection/call.js';
import {
  Button,
  Check,
  type Option,
  SearchField,
  Segments,
  useSettled,
} from '../parts/controls.js';
import { count, formatNumber } from '../parts/format.js';
import { go, useAddressed } from '../parts/route.js';
import { Errors, useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import { type AnyRecord, COLLECTIONS } from './collections.js';
import { RecordEditor } from './record-editor.js';
import { RecordTable } from './record-table.js';
import { NEW } from './use-record.js';
import { useChangedRecords, useChanges, useRecords } from './use-records.js';

export function RecordsView({ account, mock, route }: AccountViewProps) {
  const [, , path = '', opened] = route;
  const collection = COLLECTIONS.find((one) => one.path === path) ?? COLLECTIONS[0];
  const search = useAddressed('text');
  const text = useSettled(search.value);
  const [edits, setEdits] = useState(0);
  const version = useSettled(`${account.changes} ${mock.accounts.writes} ${edits}`);
  const found = useRecords(account.id, collection.path, text, version);
  const { marks, total: changed } = useChanges(account.id, collection.path, version);
  const only = useAddressed('only');
  const onlyChanged = useChangedRecords(only.value === 'changed', {
    ...{ account: account.id, path: collection.path, text, version, marks },
  });
  const { records, hasMore, isReading, error } = onlyChanged ?? found;
  const sizes = useLoaded(
    () => call<Schemas['Account']>('/account', { account: account.id }),
    `${account.id} ${version}`,
    { keeps: true },
  );
  const total = sizes.value?.[collection.path];
  const isRead = !isReading && error === undefined;
  const name = collection.title.toLowerCase();
  const open = (id: string | undefined, isMove = false) =>
    go(['records', account.id, collection.path, id], { replaces: isMove });
  const showAll = () => {
    for (const { onValue } of [search, only]) onValue('');
  };
  const action = useAction(() => setEdits((before) => before + 1));
  const restore = (record: AnyRecord) => {
    const isRemoved = marks.get(record.id) === 'removed';
    const body = isRemoved ? record : { deletedAt: null };
    const method = isRemoved ? 'PUT' : 'PATCH';
    const url = `/${collection.path}/${encodeURIComponent(record.id)}`;
    return action.run(() => call(url, { method, account: account.id, body }));
  };
  return (
    <>
      <h2 class="hidden">Records</h2>
      <search class="bar">
        <Segments
          label="Collection"
          value={collection.path}
          options={COLLECTIONS.map((one): Option => [one.path, one.title])}
          onValue={(chosen) => go(['records', account.id, chosen])}
        />
        <SearchField label="Search" {...search} />
        <Check
          label={changed === undefined ? 'Changed' : `Changed ${formatNumber(changed)}`}
          title="Only records that are added, edited, deleted or removed"
          value={only.value === 'changed'}
          onValue={(isOn) => only.onValue(isOn ? 'changed' : '')}
        />
        <Button onClick={() => open(NEW)}>New…</Button>
        <span role="status" class="faint">
          {isReading ? 'Loading… ' : ''}
          {onlyChanged && isRead && `${records.length} of ${formatNumber(changed ?? 0)} changed`}
          {!onlyChanged &&
            (isRead || found.seen > 0) &&
            (text === ''
              ? `${formatNumber(records.length)} of ${formatNumber(total ?? records.length)}`
              : `${formatNumber(records.length)} found among ${formatNumber(found.seen)}`)}
        </span>
        {!onlyChanged && isReading && <Button onClick={found.stop}>Stop</Button>}
      </search>
      <Errors sentences={[error, ...action.errors]} />
      {changed !== undefined && changed > marks.size && (
        <p class="note">
          Only the first {count(marks.size, 'changed record')} of {changed} are marked.
        </p>
      )}
      <div class={opened ? 'split' : ''}>
        <div>
          <RecordTable
            key={collection.path}
            {...{ collection, records, hasMore, marks, opened }}
            account={account.id}
            onOpen={open}
            onRestore={restore}
          />
          {onlyChanged?.hasMore && (
            <p class="note">Only the first {count(records.length, 'changed record')} are listed.</p>
          )}
          {!onlyChanged && isRead && hasMore && (
            <Button onClick={found.more}>{text === '' ? 'Show more' : 'Keep searching'}</Button>
          )}
          {isRead && !hasMore && records.length === 0 && (
            <p class="empty">
              {onlyChanged ? (
                <>
                  No changed {name}
                  {text !== '' && ' with this text'}. <Button onClick={showAll}>Show all</Button>
                </>
              ) : text === '' ? (
                <>
                  This account has no {name}. <Button onClick={() => open(NEW)}>Add one</Button>
                </>
              ) : (
                <>
                  No {name} with this text. <Button onClick={showAll}>Show all</Button>
                </>
              )}
            </p>
          )}
        </div>
        {opened && (
          <RecordEditor
            key={`${collection.path} ${opened}`}
            {...{ collection, version }}
            mark={marks.get(opened)}
            account={account.id}
            id={opened}
            requests={mock.log.list(account.id)}
            undo={mock.undo}
            onChange={() => setEdits((before) => before + 1)}
            onOpen={open}
          />
        )}
      </div>
    </>
  );
}
