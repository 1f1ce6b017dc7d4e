import { useCallback, useEffect, useState } from 'preact/hooks';
import type { components } from '../../generated/openapi.js';
import { call } from '../connection/call.js';
import { type Read, useCollection } from '../parts/use-collection.js';
import { textOf } from '../records/collections.js';

type Measurement = components['schemas']['Measurement'];

/** What was read of the measurements, added up: customer -> meter -> day -> value. */
export type Usage = Read<Map<string, Map<string, Map<string, number>>>>;

/** How many measurements are read before more are asked for. */
const AT_ONCE = 20_000;

/** Reads the measurements of an account page by page; a large account only as far as asked. */
export function useUsage(account: string) {
  const { read, readTo, readAgain, ...reading } = useCollection({
    account,
    path: 'measurements',
    begin: (): Usage['value'] => new Map(),
    add: addUp,
    sizeOf: ({ seen }) => seen,
    atOnce: AT_ONCE,
  });
  return {
    ...reading,
    usage: read,
    again: () => readAgain(AT_ONCE),
    all: () => readTo(Number.POSITIVE_INFINITY),
  };
}

function addUp(sums: Usage['value'], measurements: readonly Measurement[]): Usage['value'] {
  for (const { customerId = '', meterId = '', usageDate, value } of measurements) {
    if (usageDate === undefined || value === undefined) continue;
    const days = within(within(sums, customerId), meterId);
    const day = textOf(usageDate);
    days.set(day, (days.get(day) ?? 0) + value);
  }
  return sums;
}

function within<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = map.get(key) ?? new Map<string, Value>();
  map.set(key, known);
  return known;
}

/** A key of a plot, and its value. */
export type Entry = readonly [key: string, value: number];

/** The values of a meter by day, the earliest first. */
export function byDay({ value }: Usage, customer: string, meter: string): Entry[] {
  const days = value.get(customer)?.get(meter) ?? [];
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The total of each customer over one meter, the largest first. */
export function totals({ value }: Usage, meter: string): Entry[] {
  return Array.from(value, ([customer, meters]): Entry => {
    const values = [...(meters.get(meter)?.values() ?? [])];
    return [customer, values.reduce((sum, one) => sum + one, 0)];
  })
    .filter(([, total]) => total !== 0)
    .sort(([, one], [, other]) => other - one);
}

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
