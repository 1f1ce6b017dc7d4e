import { addRecord, type FingerprintSum, SUM_OF_NOTHING } from './fingerprint-sum.js';
import { type Indexes, indexRows } from './index-rows.js';
import { countUpTo, type Order, type Position } from './order.js';
import type { Rows } from './rows.js';
import { sortRows } from './sort-rows.js';
import { RECORDS_A_STEP, type Steps } from './work-in-steps.js';

/** The records that every account over one dataset shares: frozen, indexed, never changed. */
export interface Base<T> extends Iterable<T> {
  readonly size: number;
  readonly indexes: Indexes<T>;
  get(id: string): T | undefined;
  /** The records whose keys in the index include `key`. */
  find(index: string, key: string): readonly T[];
  /** The records from a place on, each with its place, in the order of the iterator. */
  from(start: number): Iterable<readonly [place: number, record: T]>;
  /** The records after the position in the order, one by one; from the start if it is undefined. */
  after(order: Order<T>, position: Position | undefined): Iterator<T, void>;
  /** How many records are at or before the position in the order. */
  countUpTo(order: Order<T>, position: Position): number;
  /** The sum of all the records for a fingerprint; computed once, whoever asks. */
  summing(): Steps<FingerprintSum>;
}

/** A base of the rows. An index or an order is built when it is first used. */
export function createBase<T extends { readonly id: string }>(
  rows: Rows<T>,
  indexes: Indexes<T>,
): Base<T> {
  const { size, rowOf, recordAt, peekAt } = rows;
  const indexed = new Map<string, ReadonlyMap<string, readonly number[]>>();
  const sorted = new Map<string, Uint32Array>();
  let sum = rows.sum ?? SUM_OF_NOTHING;
  let summed = rows.sum ? size : 0;

  function rowsByKey(index: string): ReadonlyMap<string, readonly number[]> {
    const known = indexed.get(index) ?? indexRows(rows, indexes[index]);
    indexed.set(index, known);
    return known;
  }

  function rowsInOrder(order: Order<T>): Uint32Array {
    const known = sorted.get(order.name) ?? sortRows(rows, order);
    sorted.set(order.name, known);
    return known;
  }

  function countRowsUpTo(order: Order<T>, position: Position | undefined): number {
    const inOrder = rowsInOrder(order);
    // The search reads places below `size` only.
    return countUpTo(size, (at) => order.positionOf(peekAt(inOrder[at] as number)), position);
  }

  return {
    size,
    indexes,
    countUpTo: countRowsUpTo,
    *summing() {
      // Two that sum up the records at a time help each other: either may come to the end.
      while (summed < size) {
        sum = addRecord(sum, recordAt(summed));
        summed += 1;
        if (summed % RECORDS_A_STEP === 0) yield;
      }
      return sum;
    },
    get(id) {
      const row = rowOf(id);
      return row === undefined ? undefined : recordAt(row);
    },
    find: (index, key) => (rowsByKey(index).get(key) ?? []).map(recordAt),
    *after(order, position) {
      const start = countRowsUpTo(order, position);
      for (const row of rowsInOrder(order).subarray(start)) yield recordAt(row);
    },
    *from(start) {
      for (let row = start; row < size; row += 1) yield [row, recordAt(row)];
    },
    *[Symbol.iterator]() {
      for (let row = 0; row < size; row += 1) yield recordAt(row);
    },
  };
}
