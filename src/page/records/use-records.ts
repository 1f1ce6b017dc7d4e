import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, type Schemas } from '../connection/call.js';
import { hasWords } from '../parts/controls.js';
import { keep, readKept } from '../parts/kept.js';
import { useCollection } from '../parts/use-collection.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { AnyRecord } from './collections.js';

/** How many records to find until more are asked for. */
const AT_ONCE = 100;
/** The most changed records to mark, give or take a page. */
const MOST_MARKED = 10_000;

/**
 * Reads a collection until enough records contain the text, and further when asked. When the
 * version changes, reads it again, as far as before.
 */
export function useRecords(account: string, path: string, text: string, version: string) {
  // So that somebody who comes back finds as many rows as before.
  const name = `rows of ${account} ${path} ${text}`;
  const { read, readTo, readAgain, ...reading } = useCollection({
    ...{ account, path, text },
    begin: (): readonly AnyRecord[] => [],
    add: (records, found: readonly AnyRecord[]) => [...records, ...found],
    sizeOf: ({ value }) => value.length,
    atOnce: readKept(name, AT_ONCE),
  });
  const shown = useRef(version);
  useEffect(() => {
    if (shown.current === version) return;
    shown.current = version;
    readAgain();
  }, [version]);
  return {
    ...reading,
    records: read.value,
    seen: read.seen,
    hasMore: read.cursor !== undefined,
    more() {
      const wanted = read.value.length + AT_ONCE;
      keep(name, wanted);
      readTo(wanted);
    },
  };
}

export function useChanges(account: string, collection: string, version: string) {
  const key = `${account} ${collection} ${version}`;
  const { value } = useLoaded(() => readChanges(account, collection), key, { keeps: true });
  return { marks: value?.marks ?? new Map<string, string>(), total: value?.total };
}

async function readChanges(account: string, collection: string) {
  const marks = new Map<string, string>();
  for (let cursor: string | undefined = ''; ; ) {
    const query = { collection, cursor };
    const page: Schemas['Changes'] = await call('/changes', { account, query });
    for (const { id, change } of page.changes) marks.set(id, change);
    cursor = page.nextCursor;
    if (cursor === undefined || marks.size >= MOST_MARKED) return { marks, total: page.total };
  }
}

/**
 * Reads the first changed records, also those that were removed, as they are in the dataset;
 * undefined if they are not wanted.
 */
export function useChangedRecords(
  isWanted: boolean,
  { account, path, text, version, marks }: Changed,
) {
  const changed = [...marks].slice(0, AT_ONCE);
  const read = ([id, mark]: readonly [string, string]) =>
    call<AnyRecord>(`/${path}/${encodeURIComponent(id)}`, { account, query: ofMark(mark) });
  const key = `${account} ${path} ${version} ${isWanted} ${changed.join()}`;
  const load = isWanted ? () => Promise.all(changed.map(read)) : undefined;
  const { value, error } = useLoaded(load, key);
  if (!isWanted) return undefined;
  const records = value?.filter((record) => hasWords(JSON.stringify(record), text)) ?? [];
  return { records, error, isReading: !value && !error, hasMore: marks.size > changed.length };
}

interface Changed {
  readonly account: string;
  readonly path: string;
  readonly text: string;
  readonly version: string;
  readonly marks: ReadonlyMap<string, string>;
}

/** Where to read a record: one that was removed is only in the dataset. */
export const ofMark = (mark: string | undefined) => (mark === 'removed' ? { of: 'dataset' } : {});

interface Named {
  readonly id: string;
  readonly name?: string;
}

/** Looks up names of customers: those on the first page, and those whose ids are shown. */
export function useNames(account: string, shown: readonly string[]): (id: string) => string {
  const [names, setNames] = useState<ReadonlyMap<string, string>>();
  const missing = names ? shown.filter((id) => id !== '' && !names.has(id)) : [];
  const add = (customers: readonly Named[]) => {
    const added = customers.map(({ id, name = id }) => [id, name] as const);
    setNames((before = new Map()) => new Map([...before, ...added]));
  };

  useEffect(() => {
    call<{ records: Named[] }>('/customers', { account, query: { limit: 1_000 } }).then(
      ({ records }) => add(records),
      () => add([]),
    );
  }, [account]);

  useEffect(() => {
    if (missing.length === 0) return;
    // A customer that does not exist or has no name is shown by its id.
    const find = (id: string) =>
      call<Named>(`/customers/${encodeURIComponent(id)}`, { account }).catch(() => ({ id }));
    void Promise.all(missing.map(find)).then(add);
  }, [account, missing.join()]);

  return useCallback(
    (id: string) => (id === '' ? '(no customer)' : (names?.get(id) ?? id)),
    [names],
  );
}
