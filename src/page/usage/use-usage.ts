import { useEffect } from 'preact/hooks';
import { useReading } from '../parts/use-reading.js';
import { collectPage, noUsage } from './collect-usage.js';

/** How many measurements are read before more are asked for. */
const AT_ONCE = 20_000;

/** Reads the measurements of an account page by page; a large account only as far as asked. */
export function useUsage(account: string) {
  const reading = useReading(
    noUsage,
    (usage, signal) => collectPage(usage, account, signal),
    account,
  );
  const again = () => reading.read(noUsage(), ({ seen }) => seen >= AT_ONCE);

  // Another account begins anew.
  useEffect(() => void again(), [account]);

  return {
    ...reading,
    usage: reading.state,
    again,
    all: () => reading.read(reading.state, () => false),
  };
}
