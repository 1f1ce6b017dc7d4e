import { useEffect, useState } from 'preact/hooks';
import { UnreachableError } from '../connection/call.js';

/** What was loaded, or why it was not. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  /** Loads it again; what is shown stays until it has come. */
  reload(): void;
}

interface State<Value> {
  readonly key: string;
  readonly value?: Value;
  readonly error?: string;
}

/**
 * Loads a value whenever the key changes, and at intervals if they are given. With `keeps` the value of
 * the key before is shown until the next has come: they are of the same thing.
 */
export function useLoaded<Value>(
  load: (() => Promise<Value>) | undefined,
  key: string,
  { everyMs, keeps = false }: { readonly everyMs?: number; readonly keeps?: boolean } = {},
): Loaded<Value> {
  const [state, setState] = useState<State<Value>>({ key });
  const [count, setCount] = useState(0);
  const reload = () => setCount((before) => before + 1);
  // The key says when to load.
  useEffect(() => {
    let isCurrent = true;
    load?.().then(
      (value) => isCurrent && setState({ key, value }),
      (error: Error) => isCurrent && setState((before) => failed(before, key, error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, count]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  const isCurrent = keeps || state.key === key;
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    reload,
  };
}

/** Without a response what was loaded stays: the page says that the mock does not answer. */
function failed<Value>(before: State<Value>, key: string, error: Error): State<Value> {
  const isKept =
    error instanceof UnreachableError && before.key === key && before.value !== undefined;
  return isKept ? before : { key, error: error.message };
}
