import { addRecord, type ContentSum, NOTHING } from './content-sum.js';
import { countUpTo, type Order, type Position } from './order.js';
import { RECORDS_A_STEP, type Steps } from './steps.js';

/** The keys under which each index of a collection finds a record. */
export type Indexes<T> = Readonly<Record<string, (record: T) => readonly string[]>>;

/** The records that every account over one dataset shares: frozen, indexed, never changed. */
export interface Base<T> extends Iterable<T> {
  readonly size: number;
  readonly indexes: Indexes<T>;
  get(id: string): T | undefined;
  /** The records whose keys in the index hold `key`. */
  find(index: string, key: string): readonly T[];
  /** The records after the position in the order, one by one; from the start if it is undefined. */
  after(order: Order<T>, position: Position | undefined): Iterator<T, void>;
  /** How many records stand at or before the position in the order. */
  countUpTo(order: Order<T>, position: Position): number;
  /** What all the records are; gone through once, whoever asks. */
  summing(): Steps<ContentSum>;
}

/** Records by number: kept as objects, or made from columns when they are asked for. */
export interface Rows<T> {
  readonly size: number;
  /** The row of the record with this id. */
  rowOf(id: string): number | undefined;
  /** The frozen record of a row. */
  recordAt(row: number): T;
  /** The record of a row for a glance: good until the next call, and cheaper to have. */
  peekAt(row: number): T;
  /** Where a row ranks in an order, by the name of the order, if that is cheaper to have than the record. */
  readonly ranks?: Readonly<Record<string, (row: number) => number>>;
  /** Whether the ids rise from row to row. */
  readonly areInIdOrder?: boolean;
}

/** Rows that are kept as objects. Of several records with one id, the last stands. */
export function keepRows<T extends { readonly id: string }>(records: readonly T[]): Rows<T> {
  const kept = [...new Map(records.map((record) => [record.id, deepFreeze(record)])).values()];
  const rows = new Map(kept.map(({ id }, row) => [id, row]));
  const recordAt = (row: number) => kept[row] as T;
  return { size: kept.length, rowOf: (id) => rows.get(id), recordAt, peekAt: recordAt };
}

/** A base of the rows. What an index or an order needs is made when it is first asked for. */
export function createBase<T extends { readonly id: string }>(
  rows: Rows<T>,
  indexes: Indexes<T>,
): Base<T> {
  const { size, rowOf, recordAt, peekAt } = rows;
  const grouped = new Map<string, ReadonlyMap<string, readonly number[]>>();
  const sorted = new Map<string, Uint32Array>();
  let sum = NOTHING;
  let summed = 0;

  function rowsByKey(index: string): ReadonlyMap<string, readonly number[]> {
    const known = grouped.get(index) ?? groupRows(rows, indexes[index]);
    grouped.set(index, known);
    return known;
  }

  function rowsInOrder(order: Order<T>): Uint32Array {
    const known = sorted.get(order.name) ?? sortRows(rows, order);
    sorted.set(order.name, known);
    return known;
  }

  function countRowsUpTo(order: Order<T>, position: Position | undefined): number {
    const inOrder = rowsInOrder(order);
    return countUpTo(size, (at) => order.positionOf(peekAt(inOrder[at] as number)), position);
  }

  return {
    size,
    indexes,
    countUpTo: countRowsUpTo,
    *summing() {
      // Two that go through the records at a time help each other.
      for (; summed < size; summed += 1) {
        if (summed % RECORDS_A_STEP === 0) yield;
        sum = addRecord(sum, recordAt(summed));
      }
      return sum;
    },
    get(id) {
      const row = rowOf(id);
      return row === undefined ? undefined : recordAt(row);
    },
    find: (index, key) => (rowsByKey(index).get(key) ?? []).map(recordAt),
    *after(order, position) {
      const inOrder = rowsInOrder(order);
      const start = countRowsUpTo(order, position);
      for (let at = start; at < size; at += 1) yield recordAt(inOrder[at] as number);
    },
    *[Symbol.iterator]() {
      for (let row = 0; row < size; row += 1) yield recordAt(row);
    },
  };
}

function groupRows<T>(
  { size, peekAt }: Rows<T>,
  keysOf: Indexes<T>[string] = () => [],
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (let row = 0; row < size; row += 1) {
    for (const key of new Set(keysOf(peekAt(row)))) addTo(groups, key, row);
  }
  return groups;
}

/** The rows in the order: counted by rank, put where those of lower ranks end, and sorted by id. */
function sortRows<T extends { readonly id: string }>(
  { size, peekAt, ranks, areInIdOrder }: Rows<T>,
  { name, positionOf }: Order<T>,
): Uint32Array {
  const rankOf = ranks?.[name] ?? ((row: number) => positionOf(peekAt(row))[0]);
  const rankOfRow = new Float64Array(size);
  const counts = new Map<number, number>();
  for (let row = 0; row < size; row += 1) {
    const rank = rankOf(row);
    rankOfRow[row] = rank;
    counts.set(rank, (counts.get(rank) ?? 0) + 1);
  }
  const ends = new Map<number, number>();
  let placed = 0;
  for (const rank of Float64Array.from(counts.keys()).sort()) {
    ends.set(rank, placed);
    placed += counts.get(rank) ?? 0;
  }
  const inOrder = new Uint32Array(size);
  for (let row = 0; row < size; row += 1) {
    const rank = rankOfRow[row] as number;
    const end = ends.get(rank) as number;
    inOrder[end] = row;
    ends.set(rank, end + 1);
  }
  if (areInIdOrder) return inOrder;
  const idOf = (row: number) => peekAt(row).id;
  for (const [rank, end] of ends) {
    const ofRank = inOrder.subarray(end - (counts.get(rank) ?? 0), end);
    ofRank.sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
  }
  return inOrder;
}

function addTo<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/** A frozen copy of a value of plain objects and arrays, all the way down. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const members = Object.entries(value).map(([name, member]) => [name, frozenCopy(member)]);
  return Object.freeze(Object.fromEntries(members));
}

/** Freezes a value of plain objects and arrays, all the way down. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
