import type { Rows } from './rows.js';

/** How many records are kept: some 6 MB of them. A power of two, so that the slot is a mask away. */
const SLOTS = 2 ** 14;

/**
 * The rows, with a cache of the records that are read a second time: what is read again is often
 * read by the next test, or under another token, while a listing of a million reads each once. Each
 * row has one slot, which it shares with others, so that a lookup takes constant time.
 */
export function cacheRecords<T>(rows: Rows<T>): Rows<T> {
  const slots = Math.min(SLOTS, 2 ** Math.ceil(Math.log2(rows.size + 1)));
  const rowIn = new Int32Array(slots).fill(-1);
  const kept: (T | undefined)[] = [];
  return {
    ...rows,
    recordAt(row) {
      const slot = row & (slots - 1);
      if (rowIn[slot] !== row) {
        rowIn[slot] = row;
        kept[slot] = undefined;
        return rows.recordAt(row);
      }
      const record = kept[slot] ?? rows.recordAt(row);
      kept[slot] = record;
      return record;
    },
  };
}
