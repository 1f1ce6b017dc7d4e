import { inOrder, type Order } from './order.js';

export interface Identified {
  readonly id: string;
}

/** For each index of a collection, the keys under which it finds a record. */
export type Indexes<T> = Readonly<Record<string, (record: T) => readonly string[]>>;

/** Frozen records by id, which are indexed and sorted when that is first needed. */
export abstract class IndexedRecords<T extends Identified> implements Iterable<T> {
  readonly indexes: Indexes<T>;
  /** By index and key. */
  protected readonly indexed = new Map<string, Map<string, T[]>>();
  /** By the name of the order. */
  protected readonly sorted = new Map<
    string,
    { readonly order: Order<T>; readonly records: T[] }
  >();

  constructor(indexes: Indexes<T>) {
    this.indexes = indexes;
  }

  protected abstract readonly records: ReadonlyMap<string, T>;

  get size(): number {
    return this.records.size;
  }

  get(id: string): T | undefined {
    return this.records.get(id);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.records.values();
  }

  /** The records whose keys in the index include `key`. */
  find(index: string, key: string): readonly T[] {
    let byKey = this.indexed.get(index);
    if (!byKey) {
      byKey = new Map();
      for (const record of this) addTo(byKey, this.indexes[index]?.(record), record);
      this.indexed.set(index, byKey);
    }
    return byKey.get(key) ?? [];
  }

  /** Every record, in this order. */
  in(order: Order<T>): readonly T[] {
    let sorted = this.sorted.get(order.name);
    if (!sorted) {
      sorted = { order, records: inOrder([...this], order) };
      this.sorted.set(order.name, sorted);
    }
    return sorted.records;
  }
}

/** Adds a record under its keys, each of which it may have several times. */
export function addTo<T>(byKey: Map<string, T[]>, keys: readonly string[] = [], record: T): void {
  for (const key of keys) {
    const records = byKey.get(key);
    if (!records) byKey.set(key, [record]);
    else if (records.at(-1) !== record) records.push(record);
  }
}

export function removeFrom<T>(
  byKey: Map<string, T[]>,
  keys: readonly string[] = [],
  record: T,
): void {
  for (const key of keys) {
    const records = byKey.get(key) ?? [];
    const at = records.indexOf(record);
    if (at >= 0) records.splice(at, 1);
    if (records.length === 0) byKey.delete(key);
  }
}
