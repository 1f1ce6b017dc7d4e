import { deepFreeze } from './freeze.js';
import { addRecord, type FingerprintSum, SUM_OF_NOTHING } from './hash.js';
import { RECORDS_A_STEP, type Steps } from './work-in-steps.js';

/** The place of a record in an order: a number, then a text, so that no two records share one. */
export type Position = readonly [rank: number, id: string];

/** A total order of the records of a collection, identified by its name. */
export interface Order<T> {
  readonly name: string;
  readonly positionOf: (record: T) => Position;
}

export function comparePositions(one: Position, other: Position): number {
  if (one[0] !== other[0]) return one[0] < other[0] ? -1 : 1;
  if (one[1] === other[1]) return 0;
  return one[1] < other[1] ? -1 : 1;
}

/** The records in this order, as a new array. */
export function inOrder<T>(records: readonly T[], { positionOf }: Order<T>): T[] {
  if (records.length < 2) return [...records];
  return Array.from(records, (record) => ({ record, position: positionOf(record) }))
    .sort((one, other) => comparePositions(one.position, other.position))
    .map(({ record }) => record);
}

export interface Page<T> {
  readonly records: readonly T[];
  /** Whether more records follow. */
  readonly isFollowed: boolean;
}

export function takePage<T>(records: Iterator<T, void>, limit: number): Page<T> {
  const taken: T[] = [];
  let next = records.next();
  for (; !next.done && taken.length < limit; next = records.next()) taken.push(next.value);
  return { records: taken, isFollowed: !next.done };
}

/** Frozen records with indexes. Those of a dataset, which its accounts share, never change. */
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
  /** At most `limit` records after the position. The cost does not depend on how deep it lies. */
  page(order: Order<T>, position: Position | undefined, limit: number): Page<T>;
  /** How many records are at or before the position in the order. */
  countUpTo(order: Order<T>, position: Position): number;
  /** The fingerprint sum of all records; cached. */
  summing(): Steps<FingerprintSum>;
}

/** For each index of a collection, the keys under which it finds a record. */
export type Indexes<T> = Readonly<Record<string, (record: T) => readonly string[]>>;

/**
 * Records by row number, kept as objects or built from columns when they are read. Orders rely on
 * ids that rise from row to row.
 */
export interface Rows<T> {
  /** May have to be counted, so that it is read only when it is needed. */
  readonly size: number;
  rowOf(id: string): number | undefined;
  /** The frozen record of a row. */
  recordAt(row: number): T;
  /** The record of a row, cheaper but valid only until the next call. */
  peekAt(row: number): T;
  /** The rank of a row in an order, by the order's name, where that is cheaper than its record. */
  readonly ranks?: Readonly<Record<string, (row: number) => number>>;
}

/** Builds an index or an order when it is first used; `knownSum` is that of all records, if known. */
export function createBase<T extends { readonly id: string }>(
  rows: Rows<T>,
  indexes: Indexes<T>,
  knownSum?: FingerprintSum,
): Base<T> {
  const { rowOf, recordAt, peekAt, ranks } = rows;
  const indexed = new Map<string, ReadonlyMap<string, readonly number[]>>();
  const sorted = new Map<string, Uint32Array>();
  let sum = SUM_OF_NOTHING;
  let summed = 0;

  function rowsByKey(index: string): ReadonlyMap<string, readonly number[]> {
    const known = indexed.get(index) ?? indexRows(rows, indexes[index] ?? (() => []));
    indexed.set(index, known);
    return known;
  }

  function rowsInOrder({ name, positionOf }: Order<T>): Uint32Array {
    const rankOf = ranks?.[name] ?? ((row: number) => positionOf(peekAt(row))[0]);
    const known = sorted.get(name) ?? sortRows(rows.size, rankOf);
    sorted.set(name, known);
    return known;
  }

  function countRowsUpTo(order: Order<T>, position: Position | undefined): number {
    const sortedRows = rowsInOrder(order);
    // The search only reads indexes below `size`.
    return countUpTo(
      rows.size,
      (at) => order.positionOf(peekAt(sortedRows[at] as number)),
      position,
    );
  }

  function* after(order: Order<T>, position: Position | undefined) {
    const start = countRowsUpTo(order, position);
    for (const row of rowsInOrder(order).subarray(start)) yield recordAt(row);
  }

  return {
    get size() {
      return rows.size;
    },
    indexes,
    countUpTo: countRowsUpTo,
    after,
    page: (order, position, limit) => takePage(after(order, position), limit),
    *summing() {
      if (knownSum) return knownSum;
      // Callers that sum at the same time share their progress: either may finish.
      while (summed < rows.size) {
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
    *from(start) {
      for (let row = start; row < rows.size; row += 1) yield [row, recordAt(row)];
    },
    *[Symbol.iterator]() {
      for (let row = 0; row < rows.size; row += 1) yield recordAt(row);
    },
  };
}

function indexRows<T>(
  { size, peekAt }: Rows<T>,
  keysOf: Indexes<T>[string],
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

/** A stable counting sort of the rows by rank: rows of equal rank keep their order. */
function sortRows(size: number, rankOf: (row: number) => number): Uint32Array {
  const ranks = new Float64Array(size);
  for (let row = 0; row < size; row += 1) ranks[row] = rankOf(row);
  // First how many rows have each rank; then where the next of them goes.
  const places = new Map<number, number>();
  for (const rank of ranks) places.set(rank, (places.get(rank) ?? 0) + 1);
  let placed = 0;
  for (const rank of Float64Array.from(places.keys()).sort()) {
    const count = places.get(rank) ?? 0;
    places.set(rank, placed);
    placed += count;
  }
  const rows = new Uint32Array(size);
  ranks.forEach((rank, row) => {
    const place = places.get(rank) ?? 0;
    rows[place] = row;
    places.set(rank, place + 1);
  });
  return rows;
}

/** How many of the sorted positions are at or before the position, by binary search. */
function countUpTo(
  size: number,
  positionAt: (index: number) => Position,
  position: Position | undefined,
): number {
  if (position === undefined) return 0;
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePositions(positionAt(middle), position) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the sorted records are at or before the position; none if it is undefined. */
export function countRecordsUpTo<T>(
  sorted: readonly T[],
  { positionOf }: Order<T>,
  position: Position | undefined,
): number {
  // The search only reads indexes below the length.
  return countUpTo(sorted.length, (at) => positionOf(sorted[at] as T), position);
}

/** If several records share an id, the last one counts. */
export function keepRows<T extends { readonly id: string }>(records: readonly T[]): Rows<T> {
  const kept = [...new Map(records.map((record) => [record.id, deepFreeze(record)])).values()];
  const rows = new Map(kept.map(({ id }, row) => [id, row]));
  // Callers read only rows below `size`.
  const recordAt = (row: number) => kept[row] as T;
  return { size: kept.length, rowOf: (id) => rows.get(id), recordAt, peekAt: recordAt };
}
