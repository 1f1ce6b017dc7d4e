import { useCallback, useEffect, useState } from 'preact/hooks';

/** What was loaded, or why it was not. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  /** Loads it again; what is shown stays until it has come. */
  reload(): void;
}

/** Loads a value whenever the key changes, and at intervals if they are given. */
export function useLoaded<Value>(
  load: (() => Promise<Value>) | undefined,
  key: string,
  everyMs?: number,
): Loaded<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; error?: string }>({ key });
  const [count, setCount] = useState(0);
  // The key says when to load.
  useEffect(() => {
    let isCurrent = true;
    load?.().then(
      (value) => isCurrent && setState({ key, value }),
      (error: Error) => isCurrent && setState({ key, error: error.message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, count]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setCount((before) => before + 1);
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  const reload = useCallback(() => setCount((before) => before + 1), []);
  const isCurrent = state.key === key;
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    reload,
  };
}
