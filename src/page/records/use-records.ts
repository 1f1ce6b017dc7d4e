import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import type { AnyRecord } from './collections.js';

interface Page {
  readonly records: readonly AnyRecord[];
  readonly nextCursor?: string;
}

/** The records of a collection that were found so far. */
export interface FoundRecords {
  readonly records: readonly AnyRecord[];
  /** How many were looked at. */
  readonly seen: number;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly error: string | undefined;
  more(): void;
  stop(): void;
}

const A_PAGE = 1_000;
/** How many are found before more are asked for. */
const AT_ONCE = 100;

interface State {
  readonly records: readonly AnyRecord[];
  readonly seen: number;
  readonly cursor?: string | undefined;
  readonly isLoading: boolean;
  readonly error?: string;
}

const NOTHING: State = { records: [], seen: 0, isLoading: true };

/** Reads a collection page by page until enough records have the text, and further when asked. */
export function useRecords(
  account: string,
  path: string,
  text: string,
  version: number,
): FoundRecords {
  const [state, setState] = useState(NOTHING);
  const reading = useRef<AbortController>(undefined);

  async function read(from: State): Promise<void> {
    reading.current?.abort();
    const ending = new AbortController();
    reading.current = ending;
    const { signal } = ending;
    let found = { ...from, isLoading: true };
    const wanted = from.records.length + AT_ONCE;
    setState(found);
    try {
      do {
        const limit = text === '' ? AT_ONCE : A_PAGE;
        const query =
          found.cursor === undefined ? '' : `&cursor=${encodeURIComponent(found.cursor)}`;
        const page = await call<Page>(`/${path}?limit=${limit}${query}`, { account, signal });
        const matching = page.records.filter((record) => hasText(record, text));
        found = {
          records: [...found.records, ...matching],
          seen: found.seen + page.records.length,
          cursor: page.nextCursor,
          isLoading:
            page.nextCursor !== undefined && found.records.length + matching.length < wanted,
        };
        setState(found);
      } while (found.isLoading);
    } catch (error) {
      if (!signal.aborted)
        setState({ ...found, isLoading: false, error: (error as Error).message });
    }
  }

  // Another text or version begins anew.
  useEffect(() => {
    void read(NOTHING);
    return () => reading.current?.abort();
  }, [account, path, text, version]);

  return {
    records: state.records,
    seen: state.seen,
    isLoading: state.isLoading,
    hasMore: !state.isLoading && state.cursor !== undefined,
    error: state.error,
    more: () => void read(state),
    stop() {
      reading.current?.abort();
      setState({ ...state, isLoading: false });
    },
  };
}

function hasText(record: AnyRecord, text: string): boolean {
  return text === '' || JSON.stringify(record).toLowerCase().includes(text.toLowerCase());
}
