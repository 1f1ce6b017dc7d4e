import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import type { AnyRecord } from './collections.js';

interface Page {
  readonly records: readonly AnyRecord[];
  readonly nextCursor?: string;
  /** How many records were searched, if a text was. */
  readonly searched?: number;
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
        const query = new URLSearchParams({
          limit: String(wanted - found.records.length),
          ...(text !== '' && { text }),
          ...(found.cursor !== undefined && { cursor: found.cursor }),
        });
        const page = await call<Page>(`/${path}?${query}`, { account, signal });
        const records = [...found.records, ...page.records];
        found = {
          records,
          seen: found.seen + (page.searched ?? page.records.length),
          cursor: page.nextCursor,
          isLoading: page.nextCursor !== undefined && records.length < wanted,
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
