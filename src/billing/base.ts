import { countUpTo, type Order, type Position, type Positioned, positioned } from './order.js';

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
  after(order: Order<T>, position: Position | undefined): Iterator<T>;
  /** How many records stand at or before the position in the order. */
  countUpTo(order: Order<T>, position: Position): number;
}

/** Freezes the records into a base. What an index or an order needs is made when first asked for. */
export function createBase<T extends { readonly id: string }>(
  records: readonly T[],
  indexes: Indexes<T>,
): Base<T> {
  const byId = new Map(records.map((record) => [record.id, deepFreeze(record)]));
  const byKey = memoize((index) => groupByKey(byId.values(), indexes[index]));
  const sorted = new Map<string, readonly Positioned<T>[]>();

  function inOrder(order: Order<T>): readonly Positioned<T>[] {
    const known = sorted.get(order.name) ?? positioned(byId.values(), order);
    sorted.set(order.name, known);
    return known;
  }

  return {
    size: byId.size,
    indexes,
    get: (id) => byId.get(id),
    find: (index, key) => byKey(index).get(key) ?? [],
    *after(order, position) {
      const all = inOrder(order);
      for (let at = countUpTo(all, position); at < all.length; at += 1) {
        yield (all[at] as Positioned<T>).record;
      }
    },
    countUpTo: (order, position) => countUpTo(inOrder(order), position),
    [Symbol.iterator]: () => byId.values(),
  };
}

function groupByKey<T>(
  records: Iterable<T>,
  keysOf: Indexes<T>[string] | undefined,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    for (const key of new Set(keysOf?.(record))) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [record]);
      else group.push(record);
    }
  }
  return groups;
}

function memoize<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** Freezes a value of plain objects and arrays, all the way down. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
