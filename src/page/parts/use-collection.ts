import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../connection/call.js';

interface Page<Item> {
  readonly records: readonly Item[];
  readonly nextCursor?: string;
  /** How many records were searched, if the query has a text. */
  readonly searched?: number;
}

interface Collection<Item, Value> {
  readonly account: string;
  readonly path: string;
  /** Reads only records that contain this text; all if it is empty. */
  readonly text?: string;
  readonly begin: () => Value;
  readonly add: (value: Value, records: readonly Item[]) => Value;
  /** Measures what was read, in the unit of `atOnce` and of `wanted` below. */
  readonly sizeOf: (read: Read<Value>) => number;
  /** How much to read until more is asked for. */
  readonly atOnce: number;
}

export interface Read<Value> {
  readonly value: Value;
  /** How many records were read or searched. */
  readonly seen: number;
  /** Where to go on: empty at the beginning, undefined at the end. */
  readonly cursor: string | undefined;
}

const LARGEST_PAGE = 1_000;

/** Reads a collection page by page, as far as asked; stops when another collection is asked for. */
export function useCollection<Item, Value>(collection: Collection<Item, Value>) {
  const { account, path, text, begin, add, sizeOf, atOnce } = collection;
  const nothing = (): Read<Value> => ({ value: begin(), seen: 0, cursor: '' });
  const [read, setRead] = useState(nothing);
  const [isReading, setReading] = useState(true);
  const [error, setError] = useState<string>();
  const reading = useRef<AbortController>(undefined);
  const goal = useRef(atOnce);

  useEffect(() => {
    setRead(nothing);
    void readTo(atOnce, nothing());
    return () => reading.current?.abort();
  }, [account, path, text]);

  async function readTo(wanted: number, from: Read<Value>) {
    goal.current = wanted;
    reading.current?.abort();
    reading.current = new AbortController();
    const { signal } = reading.current;
    setReading(true);
    setError(undefined);
    try {
      let { value, seen, cursor } = from;
      do {
        const limit = Math.min(LARGEST_PAGE, wanted - sizeOf({ value, seen, cursor }));
        const query = { limit, cursor, text };
        const page = await call<Page<Item>>(`/${path}`, { account, query, signal });
        if (signal.aborted) return;
        value = add(value, page.records);
        seen += page.searched ?? page.records.length;
        cursor = page.nextCursor;
        setRead({ value, seen, cursor });
      } while (cursor !== undefined && sizeOf({ value, seen, cursor }) < wanted);
    } catch (thrown) {
      if (signal.aborted) return;
      setError((thrown as Error).message);
    }
    setReading(false);
  }

  return {
    read,
    isReading,
    error,
    /** Reads on until this much was read, or the end is reached. */
    readTo: (wanted: number) => void readTo(wanted, read),
    /** Reads from the beginning; by default, as far as before. */
    readAgain: (wanted = goal.current) => void readTo(wanted, nothing()),
    /** Stops reading, and keeps what was read. */
    stop() {
      reading.current?.abort();
      setReading(false);
    },
  };
}
