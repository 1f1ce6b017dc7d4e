import { useEffect, useState } from 'preact/hooks';
import { UnreachableError } from '../connection/call.js';

/** How often to load a value that requests may change at any time. */
const RELOAD_EVERY_MS = 2_000;

export type Loaded<Value> = ReturnType<typeof useLoaded<Value>>;

/**
 * Loads a value when the key changes, when `reload` is called, and with `reloads` every two seconds
 * while the page is visible. The old value stays until a new one or a refusal arrives; if the key
 * has changed, only with `keeps`, for keys that name versions of the same thing.
 */
export function useLoaded<Value>(
  load: (() => Promise<Value>) | undefined,
  key: string,
  { reloads = false, keeps = false }: { readonly reloads?: boolean; readonly keeps?: boolean } = {},
) {
  const [state, setState] = useState<{ key: string; value?: Value; error?: string }>({ key });
  const [count, setCount] = useState(0);
  const reload = () => setCount((before) => before + 1);
  // `load` is new in every render, so only the key says when to load.
  useEffect(() => {
    let isCurrent = true;
    const fail = (error: Error) =>
      setState((before) => {
        const isShown = before.key === key && before.value !== undefined;
        // The page already says that the mock does not answer.
        return isShown && error instanceof UnreachableError
          ? before
          : { key, error: error.message };
      });
    load?.().then(
      (value) => isCurrent && setState({ key, value }),
      (error: Error) => isCurrent && fail(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, count]);
  useEffect(() => {
    if (!reloads) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, RELOAD_EVERY_MS);
    return () => clearInterval(timer);
  }, [reloads]);
  const isCurrent = keeps || state.key === key;
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    reload,
  };
}
