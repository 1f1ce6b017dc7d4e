import { useEffect, useRef, useState } from 'preact/hooks';
import { collectPage, NO_USAGE, type Usage } from './collect-usage.js';

/** How many pages are read before more are asked for. */
const PAGES_AT_ONCE = 20;

/** Reads the measurements of an account page by page; a large account only as far as asked. */
export function useUsage(account: string) {
  const [usage, setUsage] = useState<Usage>(NO_USAGE);
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<string>();
  const reading = useRef<AbortController>(undefined);

  async function read(from: Usage): Promise<void> {
    reading.current?.abort();
    const ending = new AbortController();
    reading.current = ending;
    const { signal } = ending;
    setReading(true);
    setError(undefined);
    let read = from;
    try {
      for (let pages = 0; pages < PAGES_AT_ONCE && read.cursor !== undefined; pages += 1) {
        read = await collectPage(read, account, signal);
        setUsage(read);
      }
    } catch (thrown) {
      if (signal.aborted) return;
      setError((thrown as Error).message);
    }
    setReading(false);
  }

  // Another account begins anew.
  useEffect(() => {
    void read({ ...NO_USAGE, sums: new Map() });
    return () => reading.current?.abort();
  }, [account]);

  return {
    usage,
    isReading,
    error,
    more: () => read(usage),
    again: () => read({ ...NO_USAGE, sums: new Map() }),
  };
}
