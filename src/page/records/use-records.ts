import { useEffect, useRef } from 'preact/hooks';
import { readPage } from '../connection/read-page.js';
import { useReading } from '../parts/use-reading.js';
import type { AnyRecord } from './collections.js';

/** The records of a collection that were found so far. */
interface Found {
  readonly records: readonly AnyRecord[];
  /** How many were looked at. */
  readonly seen: number;
  readonly cursor: string | undefined;
}

/** How many are found before more are asked for. */
const AT_ONCE = 100;
const LARGEST_PAGE = 1_000;

const nothing = (): Found => ({ records: [], seen: 0, cursor: '' });

/**
 * Reads a collection page by page until enough records have the text, and further when asked; again,
 * as far as it was shown, when the version changes.
 */
export function useRecords(account: string, path: string, text: string, version: string) {
  const wanted = useRef(AT_ONCE);
  const key = `${account} ${path} ${text}`;
  const next = async (found: Found, signal: AbortSignal): Promise<Found> => {
    const limit = Math.min(LARGEST_PAGE, wanted.current - found.records.length);
    const query = { limit, text, cursor: found.cursor };
    const page = await readPage<AnyRecord>(account, path, query, signal);
    return {
      records: [...found.records, ...page.records],
      seen: found.seen + (page.searched ?? page.records.length),
      cursor: page.nextCursor,
    };
  };
  const { state, isReading, error, read, stop } = useReading(nothing, next, key);
  const readTo = (count: number, from: Found) => {
    wanted.current = count;
    return read(from, ({ records }) => records.length >= count);
  };

  useEffect(() => void readTo(AT_ONCE, nothing()), [key]);
  const shown = useRef(version);
  useEffect(() => {
    if (shown.current === version) return;
    shown.current = version;
    void readTo(wanted.current, nothing());
  }, [version]);

  return {
    ...state,
    ...{ isReading, error, stop },
    hasMore: state.cursor !== undefined,
    more: () => void readTo(state.records.length + AT_ONCE, state),
  };
}
