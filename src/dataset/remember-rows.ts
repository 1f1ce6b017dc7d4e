import type { Rows } from '../billing/base.js';

/** How many records are kept: some 6 MB of them. A power of two, so that the slot is a mask away. */
const SLOTS = 2 ** 14;

/**
 * The rows, of which those that were read last are kept as they were made: what is read once is
 * often read again, by the next test or under another token. Each row has one slot, which it shares
 * with others, so that keeping and finding cost a step each.
 */
export function rememberRows<T>(rows: Rows<T>): Rows<T> {
  const slots = Math.min(SLOTS, 2 ** Math.ceil(Math.log2(rows.size + 1)));
  const kept: T[] = [];
  const rowIn = new Int32Array(slots).fill(-1);
  return {
    ...rows,
    recordAt(row) {
      const slot = row & (slots - 1);
      if (rowIn[slot] === row) return kept[slot] as T;
      rowIn[slot] = row;
      kept[slot] = rows.recordAt(row);
      return kept[slot];
    },
  };
}
