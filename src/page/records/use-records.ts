import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, type Schemas } from '../connection/call.js';
import { hasWords } from '../parts/controls.js';
import { keep, readKept } from '../parts/use-kept.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { AnyRecord } from './collections.js';

/** How many records to find until more are asked for. */
const AT_ONCE = 100;
const MAX_PAGE = 1_000;
/** The most changed records to mark, give or take a page. */
const MAX_MARKED = 10_000;

interface Page {
  readonly records: readonly AnyRecord[];
  readonly nextCursor?: string;
  /** How many records were searched, if the query has a text. */
  readonly searched?: number;
}

interface Read {
  readonly records: readonly AnyRecord[];
  /** How many records were read or searched. */
  readonly seen: number;
  /** Where to go on: empty at the beginning, undefined at the end. */
  readonly cursor: string | undefined;
}

const NOTHING: Read = { records: [], seen: 0, cursor: '' };

/**
 * Reads a collection until enough records contain the text, and further when asked. When the
 * version changes, reads it again, as far as before.
 */
export function useRecords(account: string, path: string, text: string, version: string) {
  // So that somebody who comes back finds as many rows as before.
  const name = `rows of ${account} ${path} ${text}`;
  const [read, setRead] = useState(NOTHING);
  const [isReading, setReading] = useState(true);
  const [error, setError] = useState<string>();
  const reading = useRef<AbortController>(undefined);
  const shown = useRef(version);

  useEffect(() => {
    setRead(NOTHING);
    void readTo(readKept(name, AT_ONCE), NOTHING);
    return () => reading.current?.abort();
  }, [account, path, text]);

  useEffect(() => {
    if (shown.current === version) return;
    shown.current = version;
    void readTo(readKept(name, AT_ONCE), NOTHING);
  }, [version]);

  async function readTo(wanted: number, from: Read) {
    reading.current?.abort();
    reading.current = new AbortController();
    const { signal } = reading.current;
    setReading(true);
    setError(undefined);
    try {
      let { records, seen, cursor } = from;
      do {
        const limit = Math.min(MAX_PAGE, wanted - records.length);
        const query = { limit, cursor, text };
        const page = await call<Page>(`/${path}`, { account, query, signal });
        if (signal.aborted) return;
        records = [...records, ...page.records];
        seen += page.searched ?? page.records.length;
        cursor = page.nextCursor;
        setRead({ records, seen, cursor });
      } while (cursor !== undefined && records.length < wanted);
    } catch (thrown) {
      if (signal.aborted) return;
      setError((thrown as Error).message);
    }
    setReading(false);
  }

  const { records, seen, cursor } = read;
  return {
    ...{ records, seen, isReading, error },
    hasMore: cursor !== undefined,
    more() {
      const wanted = records.length + AT_ONCE;
      keep(name, wanted);
      void readTo(wanted, read);
    },
    /** Stops reading, and keeps what was read. */
    stop() {
      reading.current?.abort();
      setReading(false);
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
    if (cursor === undefined || marks.size >= MAX_MARKED) return { marks, total: page.total };
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
