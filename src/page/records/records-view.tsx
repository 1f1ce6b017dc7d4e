import { useState } from 'preact/hooks';
import { count } from '../parts/count.js';
import { Errors } from '../parts/errors.js';
import { useSettled } from '../parts/use-settled.js';
import type { AccountView } from '../view.js';
import { COLLECTIONS, type Collection } from './collections.js';
import { NewRecord } from './new-record.js';
import { RecordEditor } from './record-editor.js';
import { RecordTable } from './record-table.js';
import { useChanges } from './use-changes.js';
import { useRecords } from './use-records.js';

/** Opened is a record that there is not yet. */
const NEW = '';

/** The records of the account, page by page, and one of them opened. */
export function RecordsView({ account, writes }: AccountView) {
  const [path, setPath] = useState('customers');
  const [typed, setTyped] = useState('');
  const text = useSettled(typed);
  const [edits, setEdits] = useState(0);
  const [opened, setOpened] = useState<string>();
  const version = useSettled(`${account.changes} ${writes} ${edits}`);
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
  return (
    <>
      <h2 class="hidden">Records</h2>
      <search class="bar">
        <CollectionChoice
          path={path}
          onChoose={(name) => {
            setPath(name);
            setOpened(undefined);
          }}
        />
        <label>
          Search{' '}
          <input
            type="search"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button type="button" onClick={() => setOpened(NEW)}>
          New…
        </button>
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
            collection={collection}
            records={found.records}
            marks={marks}
            hasMore={found.hasMore}
            opened={opened}
            onOpen={setOpened}
          />
          <Rest found={found} text={text} collection={collection} />
        </div>
        {opened === NEW && <NewRecord key={path} {...editing} onAdd={onAdd} />}
        {opened !== undefined && opened !== NEW && (
          <RecordEditor
            key={`${path} ${opened}`}
            {...editing}
            id={opened}
            version={version}
            onChange={onChange}
          />
        )}
      </div>
    </>
  );
}

interface ChoiceProps {
  readonly path: string;
  readonly onChoose: (path: string) => void;
}

function CollectionChoice({ path, onChoose }: ChoiceProps) {
  return (
    <fieldset class="choice">
      <legend class="hidden">Collection</legend>
      {Object.entries(COLLECTIONS).map(([name, { title }]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === path}
          onClick={() => onChoose(name)}
        >
          {title}
        </button>
      ))}
    </fieldset>
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
      {isReading && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
    </>
  );
}

interface RestProps extends FoundProps {
  readonly collection: Collection;
}

/** What stands below the records. */
function Rest({ found, text, collection }: RestProps) {
  if (found.isReading || found.error !== undefined) return null;
  if (found.hasMore) {
    return (
      <button type="button" onClick={found.more}>
        {text === '' ? 'Show more' : 'Search on'}
      </button>
    );
  }
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
