import { useState } from 'preact/hooks';
import type { ListedAccount } from '../connection/account-list.js';
import type { Mock } from '../connection/use-mock.js';
import { Button, TextField, useEntered, useSettled } from '../parts/controls.js';
import { count } from '../parts/texts.js';
import { Errors } from '../parts/use-action.js';
import { COLLECTIONS, type Collection } from './collections.js';
import { NEW, RecordEditor } from './record-editor.js';
import { RecordTable } from './record-table.js';
import { useChanges, useRecords } from './use-records.js';

interface RecordsProps {
  readonly account: ListedAccount;
  readonly mock: Mock;
}

/** The records of the account, page by page, and one of them opened. */
export function RecordsView({ account, mock }: RecordsProps) {
  const [collection, setCollection] = useState<Collection>(COLLECTIONS[0]);
  const { path } = collection;
  const search = useEntered('');
  const text = useSettled(search.value);
  const [edits, setEdits] = useState(0);
  const [opened, setOpened] = useState<string>();
  const version = useSettled(`${account.changes} ${mock.accounts.writes} ${edits}`);
  const found = useRecords(account.id, path, text, version);
  const { records, hasMore, isReading, error } = found;
  const { marks, total } = useChanges(account.id, path, version);
  const isRead = !isReading && error === undefined;
  const name = collection.title.toLowerCase();
  const choose = (chosen: Collection) => {
    setCollection(chosen);
    setOpened(undefined);
  };
  return (
    <>
      <h2 class="hidden">Records</h2>
      <search class="bar">
        <fieldset class="choice">
          <legend class="hidden">Collection</legend>
          {COLLECTIONS.map((one) => (
            <Button key={one.path} aria-pressed={one === collection} onClick={() => choose(one)}>
              {one.title}
            </Button>
          ))}
        </fieldset>
        <TextField label="Search" type="search" {...search} />
        <Button onClick={() => setOpened(NEW)}>New…</Button>
        <span role="status">
          {isReading ? 'Reading… ' : ''}
          {text === '' ? `${records.length} shown` : `${records.length} found among ${found.seen}`}
        </span>
        {isReading && <Button onClick={found.stop}>Stop</Button>}
      </search>
      <Errors sentences={[error]} />
      {total > marks.size && (
        <p class="note">
          Marked are the first {count(marks.size, 'record')} that were changed, of {total}.
        </p>
      )}
      <div class={opened === undefined ? '' : 'split'}>
        <div class="scroll">
          <RecordTable
            key={path}
            {...{ collection, records, hasMore, marks, opened }}
            onOpen={setOpened}
          />
          {isRead && hasMore && (
            <Button onClick={found.more}>{text === '' ? 'Show more' : 'Search on'}</Button>
          )}
          {isRead && !hasMore && records.length === 0 && (
            <p class="empty">
              {text === ''
                ? `This account has no ${name}. Add one with “New…”.`
                : `None of its ${name} has this text.`}
            </p>
          )}
        </div>
        {opened !== undefined && (
          <RecordEditor
            key={`${path} ${opened}`}
            {...{ collection, version }}
            account={account.id}
            id={opened}
            onChange={() => setEdits((before) => before + 1)}
            onOpen={setOpened}
          />
        )}
      </div>
    </>
  );
}
