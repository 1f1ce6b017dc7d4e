import { readPage } from '../connection/read-page.js';
import { textOfDate } from '../records/collections.js';

/** A measurement, as far as it is plotted. */
interface Measurement {
  readonly customerId?: string;
  readonly meterId?: string;
  readonly usageDate?: { readonly year: number; readonly month: number; readonly day: number };
  readonly value?: number;
}

/** Customer -> meter -> day -> value. */
type Sums = Map<string, Map<string, Map<string, number>>>;

/** What was read of the measurements. */
export interface Usage {
  readonly sums: Sums;
  /** How many were read. */
  readonly seen: number;
  /** Where to go on; undefined at the end. */
  readonly cursor: string | undefined;
}

/** Nothing read yet. */
export function noUsage(): Usage {
  return { sums: new Map(), seen: 0, cursor: '' };
}

const A_PAGE = 1_000;

/** Reads the next page of measurements and adds it up. */
export async function collectPage(
  usage: Usage,
  account: string,
  signal: AbortSignal,
): Promise<Usage> {
  const query = { limit: A_PAGE, cursor: usage.cursor };
  const page = await readPage<Measurement>(account, 'measurements', query, signal);
  for (const { customerId = '', meterId = '', usageDate, value } of page.records) {
    if (usageDate === undefined || value === undefined) continue;
    const days = within(within(usage.sums, customerId), meterId);
    const day = textOfDate(usageDate);
    days.set(day, (days.get(day) ?? 0) + value);
  }
  return { sums: usage.sums, seen: usage.seen + page.records.length, cursor: page.nextCursor };
}

function within<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = map.get(key) ?? new Map<string, Value>();
  map.set(key, known);
  return known;
}

/** The values of a meter by day, the earliest first. */
export function byDay(
  { sums }: Usage,
  customer: string,
  meter: string,
): [day: string, value: number][] {
  return [...(sums.get(customer)?.get(meter) ?? [])].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
}

/** The total of each customer over one meter, the largest first. */
export function totals({ sums }: Usage, meter: string): [customer: string, total: number][] {
  return Array.from(sums, ([customer, meters]): [string, number] => {
    return [customer, [...(meters.get(meter)?.values() ?? [])].reduce(add, 0)];
  })
    .filter(([, total]) => total !== 0)
    .sort(([, one], [, other]) => other - one);
}

function add(one: number, other: number): number {
  return one + other;
}
