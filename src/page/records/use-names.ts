import { useCallback, useEffect, useState } from 'preact/hooks';
import { call } from '../connection/call.js';

interface Named {
  readonly id: string;
  readonly name?: string;
}

/** Says the names of customers: those of the first page, and any that is shown, by its id. */
export function useNames(account: string, shown: readonly string[]): (id: string) => string {
  const [names, setNames] = useState<ReadonlyMap<string, string>>();
  const missing = names ? shown.filter((id) => id !== '' && !names.has(id)) : [];
  const add = (customers: readonly Named[]) => {
    const added = customers.map(({ id, name = id }) => [id, name] as const);
    setNames((before = new Map()) => new Map([...before, ...added]));
  };

  useEffect(() => {
    call<{ records: Named[] }>('/customers', { account, query: { limit: 1_000 } }).then(
      ({ records }) => add(records),
      () => add([]),
    );
  }, [account]);

  useEffect(() => {
    if (missing.length === 0) return;
    // One that is not there, or has no name, goes by its id.
    const find = (id: string) =>
      call<Named>(`/customers/${encodeURIComponent(id)}`, { account }).catch(() => ({ id }));
    void Promise.all(missing.map(find)).then(add);
  }, [account, missing.join()]);

  return useCallback(
    (id: string) => (id === '' ? '(no customer)' : (names?.get(id) ?? id)),
    [names],
  );
}
