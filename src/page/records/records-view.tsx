import { useState } from 'preact/hooks';
import { Errors } from '../parts/errors.js';
import { useSettled } from '../parts/use-settled.js';
import type { AccountView } from '../view.js';
import { COLLECTIONS } from './collections.js';
import { RecordEditor } from './record-editor.js';
import { RecordTable } from './record-table.js';
import { useChanges } from './use-changes.js';
import { useRecords } from './use-records.js';

/** The records of the account, page by page, and one of them opened. */
export function RecordsView({ account }: AccountView) {
  const [path, setPath] = useState('customers');
  const [typed, setTyped] = useState('');
  const text = useSettled(typed);
  const [version, setVersion] = useState(0);
  const [opened, setOpened] = useState<string>();
  const found = useRecords(account.id, path, text, version);
  const changes = useChanges(account.id, `${account.changes} ${version}`);
  const collection = COLLECTIONS[path];
  if (!collection) return null;
  return (
    <>
      <h2 class="hidden">Records</h2>
      <search class="bar">
        <fieldset class="choice">
          <legend class="hidden">Collection</legend>
          {Object.entries(COLLECTIONS).map(([name, { title }]) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === path}
              onClick={() => {
                setPath(name);
                setOpened(undefined);
              }}
            >
              {title}
            </button>
          ))}
        </fieldset>
        <label>
          Search{' '}
          <input
            type="search"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <span role="status">
          {found.isLoading ? 'Reading… ' : ''}
          {text === ''
            ? `${found.records.length} shown`
            : `${found.records.length} found among ${found.seen}`}
        </span>
        {found.isLoading && (
          <button type="button" onClick={found.stop}>
            Stop
          </button>
        )}
      </search>
      <Errors sentences={[found.error]} />
      <div class={opened === undefined ? '' : 'split'}>
        <div class="scroll">
          <RecordTable
            key={path}
            collection={collection}
            records={found.records}
            changed={changes.of(path)}
            opened={opened}
            onOpen={setOpened}
          />
          {found.records.length === 0 && !found.isLoading && !found.error && (
            <p class="empty">{text === '' ? 'There are none.' : 'No record has this text.'}</p>
          )}
          {found.hasMore && (
            <button type="button" onClick={found.more}>
              {text === '' ? 'Show more' : 'Search on'}
            </button>
          )}
        </div>
        {opened !== undefined && (
          <RecordEditor
            key={`${path} ${opened}`}
            account={account.id}
            path={path}
            collection={collection}
            id={opened}
            onChange={() => setVersion(version + 1)}
            onClose={() => setOpened(undefined)}
          />
        )}
      </div>
    </>
  );
}
