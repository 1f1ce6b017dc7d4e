import type { ServiceComponents } from '#spec';
import { type Read, useCollection } from '../parts/use-collection.js';
import { textOf } from '../records/collections.js';

type Measurement = ServiceComponents['schemas']['Measurement'];

/** The measurements read so far, added up: customer -> meter -> day -> value. */
export type Usage = Read<Map<string, Map<string, Map<string, number>>>>;

/** How many measurements to read until more are asked for. */
const AT_ONCE = 20_000;

/** Reads the measurements of an account; of a large one, only as many as asked for. */
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

export type Entry = readonly [key: string, value: number];

/** Stands for all customers, or for all meters. */
export const ALL = '*';

export type Row = readonly [day: string, customer: string, meter: string, value: number];

export function rowsOf({ value }: Usage, meter: string): Row[] {
  return [...value].flatMap(([customer, meters]) =>
    [...meters].flatMap(([of, days]) =>
      meter === ALL || meter === of
        ? Array.from(days, ([day, sum]): Row => [day, customer, of, sum])
        : [],
    ),
  );
}

export function byDay([one]: Entry | Row, [other]: Entry | Row): number {
  return one < other ? -1 : Number(one > other);
}

/** The sums of the rows that share a key. */
export function sumBy(rows: readonly Row[], keyOf: (row: Row) => string): Entry[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row[3]);
  return [...sums];
}

/** Rows as CSV. What a spreadsheet would take for a formula is written as text. */
export function asCsv(rows: readonly Row[]): string {
  const quoted = (cell: string | number) =>
    typeof cell === 'number'
      ? cell
      : `"${(/^[=+@\t\r-]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
  return [['day', 'customer', 'meter', 'value'], ...rows.toSorted(byDay)]
    .map((row) => row.map(quoted).join(','))
    .join('\r\n');
}
