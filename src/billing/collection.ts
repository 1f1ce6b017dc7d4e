import type { Base } from './base.js';
import {
  comparePositions,
  countUpTo,
  type Order,
  type Position,
  type Positioned,
  positioned,
} from './order.js';

/** What an account changed: a record that stands over the base's, or `null` for one removed. */
export type Changes<T> = ReadonlyMap<string, T | null>;

/**
 * One account's view of a base: an id -> record map in which only the account's own changes are
 * its own. Opening one costs nothing; a snapshot costs the changes, never the base. A soft delete
 * is a `put` of the record with `deletedAt`; `remove` takes a record away without a trace.
 */
export class Collection<T extends { readonly id: string }> {
  readonly #base: Base<T>;
  #changes = new Map<string, T | null>();
  /** Index and key -> ids of changed records that bore the key once; checked when read. */
  #changedKeys = new Map<string, Set<string>>();
  /** The changed records in each order; forgotten when a change comes. */
  readonly #changedInOrder = new Map<string, readonly Positioned<T>[]>();
  #size: number;

  constructor(base: Base<T>) {
    this.#base = base;
    this.#size = base.size;
  }

  /** How many records there are, soft-deleted ones included. */
  get size(): number {
    return this.#size;
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
    for (const { id } of this.#base) {
      const record = this.get(id);
      if (record !== undefined) yield record;
    }
    for (const [id, record] of this.#changes) {
      if (record !== null && this.#base.get(id) === undefined) yield record;
    }
  }

  /** The records whose keys in the index (a name that the base declares) hold `key`. */
  find(index: string, key: string): T[] {
    const found = this.#base.find(index, key).filter(({ id }) => !this.#changes.has(id));
    for (const id of this.#changedKeys.get(keyOf(index, key)) ?? []) {
      const record = this.#changes.get(id);
      if (record && this.#base.indexes[index]?.(record).includes(key)) found.push(record);
    }
    return found;
  }

  /**
   * At most `limit` records that come after the position in the order, from the start if it is
   * undefined. The cost does not depend on how deep the position lies.
   */
  page(order: Order<T>, after: Position | undefined, limit: number): T[] {
    const unchanged = this.#unchangedAfter(order, after);
    const changed = this.#changesInOrder(order);
    let at = countUpTo(changed, after);
    let candidate = unchanged.next().value;
    const page: T[] = [];
    while (page.length < limit) {
      const change = changed[at];
      if (change && (!candidate || isBefore(change.position, order.positionOf(candidate)))) {
        page.push(change.record);
        at += 1;
      } else if (candidate) {
        page.push(candidate);
        candidate = unchanged.next().value;
      } else break;
    }
    return page;
  }

  /** How many records stand at or before the position in the order. Costs the account's changes. */
  countUpTo(order: Order<T>, position: Position): number {
    let replaced = 0;
    for (const id of this.#changes.keys()) {
      const record = this.#base.get(id);
      if (record && !isBefore(position, order.positionOf(record))) replaced += 1;
    }
    const changed = countUpTo(this.#changesInOrder(order), position);
    return this.#base.countUpTo(order, position) - replaced + changed;
  }

  /** The account's changes, safe against what comes later. */
  snapshot(): Changes<T> {
    return new Map(this.#changes);
  }

  /** Goes back to a snapshot of this collection, or of another over the same base. */
  restore(saved: Changes<T>): void {
    this.#changes = new Map();
    this.#changedKeys = new Map();
    this.#size = this.#base.size;
    for (const [id, record] of saved) {
      if (record === null) this.remove(id);
      else this.put(record);
    }
    this.#changedInOrder.clear();
  }

  #change(id: string, record: T | null): void {
    const isForgotten = record === null && this.#base.get(id) === undefined;
    if (isForgotten) this.#changes.delete(id);
    else this.#changes.set(id, record);
    this.#changedInOrder.clear();
    if (record === null) return;
    for (const [index, keysOf] of Object.entries(this.#base.indexes)) {
      for (const key of keysOf(record)) {
        const place = keyOf(index, key);
        this.#changedKeys.set(place, (this.#changedKeys.get(place) ?? new Set()).add(id));
      }
    }
  }

  #changesInOrder(order: Order<T>): readonly Positioned<T>[] {
    const records = () => [...this.#changes.values()].filter((record) => record !== null);
    const sorted = this.#changedInOrder.get(order.name) ?? positioned(records(), order);
    this.#changedInOrder.set(order.name, sorted);
    return sorted;
  }

  *#unchangedAfter(order: Order<T>, position: Position | undefined): Generator<T, undefined> {
    const base = this.#base.after(order, position);
    for (let next = base.next(); !next.done; next = base.next()) {
      if (!this.#changes.has(next.value.id)) yield next.value;
    }
  }
}

function keyOf(index: string, key: string): string {
  return `${index}\u0000${key}`;
}

function isBefore(one: Position, other: Position): boolean {
  return comparePositions(one, other) < 0;
}
