import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { NO_ACCOUNT } from '../connection/call.js';
import type { RequestLog, StreamedRequest } from '../connection/request-log.js';
import { useKept } from '../parts/use-kept.js';
import type { Lane } from './lane.js';
import { useFilter, usePassing } from './request-filter.js';

/** How many rows to draw until more are asked for. */
const ROWS = 50;

export type ShownRequests = ReturnType<typeof useShownRequests>;

/** The requests of the lane that are shown, and what shows more or fewer of them. */
export function useShownRequests(log: RequestLog, { source, all, owners, isLoading }: Lane) {
  const { value: rows, onValue: setRows } = useKept('rows', ROWS);
  const [paused, setPaused] = useState<readonly StreamedRequest[]>();
  // At the top, where rows keep arriving, draw only a few.
  const isScrolled = useScrolled(() => setRows(ROWS));
  const held = useRef({ source, all });
  const wasLoading = useRef(isLoading);
  // Rows must not move while somebody reads further down, but for those that are being loaded.
  const mayMove = !isScrolled || isLoading || wasLoading.current;
  if (mayMove || held.current.source !== source) held.current = { source, all };
  wasLoading.current = isLoading;
  const still = paused ?? held.current.all;
  const { visible, clear, showCleared } = useCleared(log, still);
  const filter = useFilter();
  const passing = usePassing(filter, visible);
  return {
    ...{ filter, passing, rows, isScrolled, showCleared },
    newer: isScrolled ? newerThan(still[0], all) : 0,
    cleared: still.length - visible.length,
    isFilteredOut: visible.length > 0 && passing.length === 0,
    isPaused: paused !== undefined,
    togglePause: () => setPaused(paused ? undefined : all),
    showMore: () => setRows(rows + ROWS),
    clear() {
      clear(owners());
      setPaused(undefined);
    },
  };
}

/** Hides requests up to the last that was seen of each account when it was cleared. */
function useCleared(log: RequestLog, requests: readonly StreamedRequest[]) {
  const { value: cleared, onValue: setCleared } = useKept<Readonly<Record<string, number>>>(
    'cleared',
    {},
  );
  const visible = useMemo(() => {
    const clearedTo = (of = NO_ACCOUNT) => {
      const to = cleared[of] ?? 0;
      // A journal that was reset numbers its requests from 1 again.
      return to > log.lastOf(of) ? 0 : to;
    };
    return requests.filter(({ account: of, id }) => id > clearedTo(of));
  }, [requests, cleared]);
  const clear = (owners: readonly string[]) => {
    const last = owners.map((of) => [of, log.lastOf(of)]);
    setCleared({ ...cleared, ...Object.fromEntries(last) });
  };
  return { visible, clear, showCleared: () => setCleared({}) };
}

/** Up to here, the list counts as being at its top. */
const TOP_PX = 60;

/** Whether the page is scrolled down; calls `onTop` as soon as it no longer is. */
function useScrolled(onTop: () => void): boolean {
  const [isScrolled, setScrolled] = useState(false);
  const last = useRef(false);
  useEffect(() => {
    const update = () => {
      setScrolled(scrollY > TOP_PX);
      if (last.current && scrollY <= TOP_PX) onTop();
      last.current = scrollY > TOP_PX;
    };
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, []);
  return isScrolled;
}

/** How many requests are newer than this one; all, if it is not among them. */
function newerThan(one: StreamedRequest | undefined, all: readonly StreamedRequest[]): number {
  const at = all.findIndex(({ id, account }) => id === one?.id && account === one.account);
  return at < 0 ? all.length : at;
}
