import { useEffect, useState } from 'preact/hooks';

/** How long nothing is typed before it counts. */
const SETTLED_MS = 250;

/** What is typed, once nothing more is. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
