import { useCallback, useEffect, useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import { readPage } from '../connection/read-page.js';

interface Named {
  readonly id: string;
  readonly name?: string;
}

const A_PAGE = 1_000;

/** Says the names of customers: those of the first page, and any that is shown, by its id. */
export function useNames(account: string, shown: readonly string[]): (id: string) => string {
  const [names, setNames] = useState<ReadonlyMap<string, string>>();
  const missing = names ? shown.filter((id) => id !== '' && !names.has(id)) : [];
  const add = (customers: readonly Named[]) =>
    setNames(
      (before) =>
        new Map([...(before ?? []), ...customers.map(({ id, name }) => [id, name ?? id] as const)]),
    );

  useEffect(() => {
    readPage<Named>(account, 'customers', { limit: A_PAGE, cursor: '' }).then(
      ({ records }) => add(records),
      () => add([]),
    );
  }, [account]);

  useEffect(() => {
    if (missing.length === 0) return;
    // One that is not there, or has no name, goes by its id.
    void Promise.all(
      missing.map((id) =>
        call<Named>(`/customers/${encodeURIComponent(id)}`, { account }).catch(() => ({ id })),
      ),
    ).then(add);
  }, [account, missing.join()]);

  return useCallback(
    (id: string) => (id === '' ? '(no customer)' : (names?.get(id) ?? id)),
    [names],
  );
}
