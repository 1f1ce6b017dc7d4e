import type { Base } from './base.js';
import { comparePositions, countUpTo, inOrder, type Order, type Position } from './order.js';

/** What an account changed: a record that stands over the base's, or `null` for one removed. */
export type Changes<T> = ReadonlyMap<string, T | null>;

/** The changes as a listing needs them, in its order. */
interface SortedChanges<T> {
  /** The records that were put. */
  readonly added: readonly T[];
  /** The records of the base that these replace, or that were removed. */
  readonly hidden: readonly T[];
}

/**
 * One account's view of a base: an id -> record map in which only the account's own changes are
 * its own. Opening one costs nothing; a snapshot costs the changes, never the base. A soft delete
 * is a `put` of the record with `deletedAt`; `remove` takes a record away without a trace.
 */
export class Collection<T extends { readonly id: string }> implements Base<T> {
  #base: Base<T>;
  #changes = new Map<string, T | null>();
  /** Index and key -> ids of changed records that bear a key which the base's record does not. */
  #newKeys = new Map<string, readonly string[]>();
  /** The changes in each order; forgotten when a change comes. */
  #sorted = new Map<string, SortedChanges<T>>();
  #size: number;

  constructor(base: Base<T>) {
    this.#base = base;
    this.#size = base.size;
  }

  /** How many records there are, soft-deleted ones included. */
  get size(): number {
    return this.#size;
  }

  get indexes(): Base<T>['indexes'] {
    return this.#base.indexes;
  }

  /** The record with this id, soft-deleted or not; ids match code point by code point. */
  get(id: string): T | undefined {
    const changed = this.#changes.get(id);
    return changed === undefined ? this.#base.get(id) : (changed ?? undefined);
  }

  /** Adds the record, or replaces the one with its id. */
  put(record: T): void {
    if (this.get(record.id) === undefined) this.#size += 1;
    this.#change(record.id, record);
  }

  /** Takes the record away without a tombstone; says whether there was one. */
  remove(id: string): boolean {
    if (this.get(id) === undefined) return false;
    this.#size -= 1;
    this.#change(id, null);
    return true;
  }

  /** Every record: the base's in its order, then the added ones in the order they came. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (const unchanged of this.#base) {
      const record = this.#current(unchanged);
      if (record) yield record;
    }
    for (const [id, record] of this.#changes) {
      if (record !== null && this.#base.get(id) === undefined) yield record;
    }
  }

  /** The records whose keys in the index (a name that the base declares) hold `key`. */
  find(index: string, key: string): T[] {
    const known = this.#base.find(index, key).map((record) => this.#current(record));
    const changed = this.#newKeys.get(placeOf(index, key))?.map((id) => this.#changes.get(id));
    return [...known, ...(changed ?? [])].filter(
      (record) => record != null && this.#keysOf(index, record).includes(key),
    ) as T[];
  }

  /**
   * At most `limit` records that come after the position in the order, from the start if it is
   * undefined. The cost does not depend on how deep the position lies.
   */
  page(order: Order<T>, position: Position | undefined, limit: number): T[] {
    const page: T[] = [];
    for (const record of this.after(order, position)) {
      page.push(record);
      if (page.length === limit) break;
    }
    return page;
  }

  /** The records after the position in the order, one by one; from the start if it is undefined. */
  *after(order: Order<T>, position: Position | undefined): Generator<T, void> {
    const { added } = this.#changesIn(order);
    let at = countIn(added, order, position);
    const base = this.#base.after(order, position);
    for (let next = base.next(); !next.done; next = base.next()) {
      if (this.#changes.has(next.value.id)) continue;
      for (; at < added.length && isBefore(order, added[at] as T, next.value); at += 1) {
        yield added[at] as T;
      }
      yield next.value;
    }
    yield* added.slice(at);
  }

  /** How many records stand at or before the position in the order. */
  countUpTo(order: Order<T>, position: Position): number {
    const { added, hidden } = this.#changesIn(order);
    const change = countIn(added, order, position) - countIn(hidden, order, position);
    return this.#base.countUpTo(order, position) + change;
  }

  /** The account's changes, safe against what comes later. */
  snapshot(): Changes<T> {
    return new Map(this.#changes);
  }

  /** Goes back to a snapshot of this collection, or of another over the same base. */
  restore(saved: Changes<T>): void {
    this.#changes = new Map();
    this.#newKeys = new Map();
    this.#sorted = new Map();
    this.#size = this.#base.size;
    for (const [id, record] of saved) {
      if (record === null) this.remove(id);
      else this.put(record);
    }
  }

  /** Stands over another base from now on, without any changes. */
  rebase(base: Base<T>): void {
    this.#base = base;
    this.restore(new Map());
  }

  #change(id: string, record: T | null): void {
    const before = this.#changes.get(id);
    const unchanged = this.#base.get(id);
    if (before) this.#index(before, unchanged, (ids) => ids.filter((other) => other !== id));
    if (record) this.#index(record, unchanged, (ids) => [...ids, id]);
    if (record === null && unchanged === undefined) this.#changes.delete(id);
    else this.#changes.set(id, record);
    this.#sorted.clear();
  }

  /** Updates the ids under every key that the record bears and the base's does not. */
  #index(
    record: T,
    unchanged: T | undefined,
    update: (ids: readonly string[]) => readonly string[],
  ): void {
    for (const index of Object.keys(this.indexes)) {
      const known = unchanged ? this.#keysOf(index, unchanged) : [];
      for (const key of new Set(this.#keysOf(index, record))) {
        if (known.includes(key)) continue;
        const place = placeOf(index, key);
        const ids = update(this.#newKeys.get(place) ?? []);
        if (ids.length > 0) this.#newKeys.set(place, ids);
        else this.#newKeys.delete(place);
      }
    }
  }

  #keysOf(index: string, record: T): readonly string[] {
    return this.indexes[index]?.(record) ?? [];
  }

  /** What the account has in the place of a record of the base. */
  #current(unchanged: T): T | null {
    const changed = this.#changes.get(unchanged.id);
    return changed === undefined ? unchanged : changed;
  }

  #changesIn(order: Order<T>): SortedChanges<T> {
    const known = this.#sorted.get(order.name) ?? {
      added: inOrder([...this.#changes.values()].filter(isPresent), order),
      hidden: inOrder(
        [...this.#changes.keys()].map((id) => this.#base.get(id)).filter(isPresent),
        order,
      ),
    };
    this.#sorted.set(order.name, known);
    return known;
  }
}

function placeOf(index: string, key: string): string {
  return `${index}\u0000${key}`;
}

function countIn<T>(sorted: readonly T[], order: Order<T>, position: Position | undefined): number {
  return countUpTo(sorted.length, (at) => order.positionOf(sorted[at] as T), position);
}

function isBefore<T>(order: Order<T>, one: T, other: T): boolean {
  return comparePositions(order.positionOf(one), order.positionOf(other)) < 0;
}

function isPresent<Value>(value: Value | null | undefined): value is Value {
  return value != null;
}
