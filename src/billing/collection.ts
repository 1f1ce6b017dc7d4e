import type { Base } from './base.js';
import { type Change, ChangeSet, type Changes } from './changes.js';
import { addRecord, type ContentSum } from './content-sum.js';
import { comparePositions, countUpTo, type Order, type Position } from './order.js';

const NO_CHANGES: Changes<never> = new Map();

/**
 * One account's view of a base: an id -> record map in which only the account's own changes are
 * its own. Opening one costs nothing; a snapshot costs the changes, never the base. A soft delete
 * is a `put` of the record with `deletedAt`; `remove` takes a record away without a trace.
 */
export class Collection<T extends { readonly id: string }> implements Base<T> {
  #base: Base<T>;
  /** Made when the first change comes: most accounts change one collection or none. */
  #changes: ChangeSet<T> | undefined;
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
    const changed = this.#changes?.get(id);
    return changed === undefined ? this.#base.get(id) : (changed ?? undefined);
  }

  /** Adds the record, or replaces the one with its id. */
  put(record: T): void {
    if (this.get(record.id) === undefined) this.#size += 1;
    this.#change(record.id, record);
  }

  /**
   * Changes members of a record that was got from here, at the cost of these alone; returns it as it
   * is from now on.
   */
  amend(record: T, members: Partial<T>): T {
    return this.#changesToBe().amend(record, members);
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
      const record = this.#changes ? this.#changes.insteadOf(unchanged) : unchanged;
      if (record) yield record;
    }
    for (const id of this.#changes?.changes.keys() ?? []) {
      const added = this.#base.get(id) === undefined ? this.get(id) : undefined;
      if (added) yield added;
    }
  }

  /** The records whose keys in the index (a name that the base declares) hold `key`. */
  find(index: string, key: string): readonly T[] {
    const unchanged = this.#base.find(index, key);
    const changes = this.#changes;
    if (!changes) return unchanged;
    const others = changes.bearing(index, key);
    if (others.length === 0 && !unchanged.some(({ id }) => changes.has(id))) return unchanged;
    const keysOf = this.indexes[index] ?? (() => []);
    const isStillFound = (record: T | null, at: number) =>
      record !== null && (record === unchanged[at] || keysOf(record).includes(key));
    const known = unchanged.map((record) => changes.insteadOf(record)).filter(isStillFound) as T[];
    return [...known, ...others];
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
    const base = this.#base.after(order, position);
    const changes = this.#changes;
    const added = changes?.in(order).added ?? [];
    let at = countIn(added, order, position);
    for (let next = base.next(); !next.done; next = base.next()) {
      if (changes?.has(next.value.id)) continue;
      for (; at < added.length && isBefore(order, added[at] as T, next.value); at += 1) {
        yield added[at] as T;
      }
      yield next.value;
    }
    yield* added.slice(at);
  }

  /** How many records stand at or before the position in the order. */
  countUpTo(order: Order<T>, position: Position): number {
    const unchanged = this.#base.countUpTo(order, position);
    if (!this.#changes) return unchanged;
    const { added, hidden } = this.#changes.in(order);
    return unchanged + countIn(added, order, position) - countIn(hidden, order, position);
  }

  /** What all the records are. Costs the changes once the base has been counted. */
  sum(): ContentSum {
    let sum = this.#base.sum();
    for (const id of this.#changes?.changes.keys() ?? []) {
      const [unchanged, record] = [this.#base.get(id), this.get(id)];
      if (unchanged) sum = addRecord(sum, unchanged, -1);
      if (record) sum = addRecord(sum, record);
    }
    return sum;
  }

  /** The account's changes, safe against what comes later. */
  snapshot(): Changes<T> {
    return this.#changes ? new Map(this.#changes.changes) : NO_CHANGES;
  }

  /** Goes back to a snapshot of this collection, or of another over the same base. */
  restore(saved: Changes<T>): void {
    this.#changes = undefined;
    this.#size = this.#base.size;
    for (const [id, change] of saved) {
      const wasThere = this.get(id) !== undefined;
      this.#change(id, change);
      this.#size += Number(this.get(id) !== undefined) - Number(wasThere);
    }
  }

  /** Stands over another base from now on, without any changes. */
  rebase(base: Base<T>): void {
    this.#base = base;
    this.restore(NO_CHANGES);
  }

  #change(id: string, change: Change<T>): void {
    this.#changesToBe().set(id, change);
  }

  #changesToBe(): ChangeSet<T> {
    this.#changes ??= new ChangeSet(this.#base);
    return this.#changes;
  }
}

function countIn<T>(sorted: readonly T[], order: Order<T>, position: Position | undefined): number {
  return countUpTo(sorted.length, (at) => order.positionOf(sorted[at] as T), position);
}

function isBefore<T>(order: Order<T>, one: T, other: T): boolean {
  return comparePositions(order.positionOf(one), order.positionOf(other)) < 0;
}
