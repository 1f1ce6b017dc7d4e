import type { Rows } from './rows.js';

/** The keys under which each index of a collection finds a record. */
export type Indexes<T> = Readonly<Record<string, (record: T) => readonly string[]>>;

/** The rows of the records that have each key of an index; none for an index that is not declared. */
export function indexRows<T>(
  { size, peekAt }: Rows<T>,
  keysOf: Indexes<T>[string] = () => [],
): ReadonlyMap<string, readonly number[]> {
  const rowsByKey = new Map<string, number[]>();
  for (let row = 0; row < size; row += 1) {
    for (const key of keysOf(peekAt(row))) {
      const rows = rowsByKey.get(key);
      if (rows === undefined) rowsByKey.set(key, [row]);
      else if (rows.at(-1) !== row) rows.push(row);
    }
  }
  return rowsByKey;
}
