import { useState } from 'preact/hooks';
import type { ListedAccount } from '../connection/account-list.js';
import type { Mock } from '../connection/use-mock.js';
import { Button, TextField } from '../parts/controls.js';
import { count } from '../parts/texts.js';
import { Errors } from '../parts/use-action.js';
import { useSettled } from '../parts/use-settled.js';
import { COLLECTIONS, type Collection } from './collections.js';
import { NewRecord } from './new-record.js';
import { RecordEditor } from './record-editor.js';
import { RecordTable } from './record-table.js';
import { useChanges, useRecords } from './use-records.js';

/** Opened is a record that there is not yet. */
const NEW = '';

interface RecordsProps {
  readonly account: ListedAccount;
  readonly mock: Mock;
}

/** The records of the account, page by page, and one of them opened. */
export function RecordsView({ account, mock }: RecordsProps) {
  const [path, setPath] = useState('customers');
  const [typed, setTyped] = useState('');
  const text = useSettled(typed);
  const [edits, setEdits] = useState(0);
  const [opened, setOpened] = useState<string>();
  const version = useSettled(`${account.changes} ${mock.accounts.writes} ${edits}`);
  const found = useRecords(account.id, path, text, version);
  const { marks, total } = useChanges(account.id, path, version);
  const collection = COLLECTIONS[path];
  if (!collection) return null;
  const editing = { account: account.id, path, collection, onClose: () => setOpened(undefined) };
  const onChange = () => setEdits((before) => before + 1);
  const onAdd = (id: string) => {
    onChange();
    setOpened(id);
  };
  const choose = (name: string) => {
    setPath(name);
    setOpened(undefined);
  };
  return (
    <>
      <h2 class="hidden">Records</h2>
      <search class="bar">
        <fieldset class="choice">
          <legend class="hidden">Collection</legend>
          {Object.entries(COLLECTIONS).map(([name, { title }]) => (
            <Button key={name} aria-pressed={name === path} onClick={() => choose(name)}>
              {title}
            </Button>
          ))}
        </fieldset>
        <TextField label="Search" type="search" value={typed} onType={setTyped} />
        <Button onClick={() => setOpened(NEW)}>New…</Button>
        <Progress found={found} text={text} />
      </search>
      <Errors sentences={[found.error]} />
      {total > marks.size && (
        <p class="note">
          Marked are the first {count(marks.size, 'record')} that were changed, of {total}.
        </p>
      )}
      <div class={opened === undefined ? '' : 'split'}>
        <div class="scroll">
          <RecordTable
            key={path}
            {...{ collection, marks, opened }}
            records={found.records}
            hasMore={found.hasMore}
            onOpen={setOpened}
          />
          <Rest found={found} text={text} collection={collection} />
        </div>
        {opened === NEW && <NewRecord key={path} {...editing} onAdd={onAdd} />}
        {opened !== undefined && opened !== NEW && (
          <RecordEditor
            key={`${path} ${opened}`}
            {...{ ...editing, version, onChange }}
            id={opened}
          />
        )}
      </div>
    </>
  );
}

interface FoundProps {
  readonly found: ReturnType<typeof useRecords>;
  readonly text: string;
}

/** How many records are shown, and how far the search is. */
function Progress({ found: { records, seen, isReading, stop }, text }: FoundProps) {
  return (
    <>
      <span role="status">
        {isReading ? 'Reading… ' : ''}
        {text === '' ? `${records.length} shown` : `${records.length} found among ${seen}`}
      </span>
      {isReading && <Button onClick={stop}>Stop</Button>}
    </>
  );
}

interface RestProps extends FoundProps {
  readonly collection: Collection;
}

/** What stands below the records. */
function Rest({ found, text, collection }: RestProps) {
  if (found.isReading || found.error !== undefined) return null;
  if (found.hasMore)
    return <Button onClick={found.more}>{text === '' ? 'Show more' : 'Search on'}</Button>;
  if (found.records.length > 0) return null;
  const name = collection.title.toLowerCase();
  return (
    <p class="empty">
      {text === ''
        ? `This account has no ${name}. Add one with “New…”.`
        : `None of its ${name} has this text.`}
    </p>
  );
}
