import type { StateBudget } from '../billing/state-budget.js';
import { type Base, createBase, keepRows } from './base.js';
import { bytesOfChange, ChangeSet } from './changes.js';
import type { ContentSum } from './content-sum.js';
import { comparePositions, countUpTo, type Order, type Position } from './order.js';
import type { Steps } from './steps.js';

/** What an account has changed in a collection; nothing if it has changed nothing. */
export type Changes<T extends { readonly id: string }> = ChangeSet<T> | undefined;

/**
 * One account's view of a base: an id -> record map in which only the account's own changes are
 * its own. Opening one costs nothing; a snapshot and the way back cost nothing either, but the next
 * change copies the changes. A soft delete is a `put` of the record with `deletedAt`; `remove` takes
 * a record away without a trace.
 */
export class Collection<T extends { readonly id: string }> implements Base<T> {
  #base: Base<T>;
  readonly #budget: StateBudget | undefined;
  /** Made when the first change comes: most accounts change one collection or none. */
  #changes: Changes<T>;
  /** Whether a snapshot has the same changes. */
  #isShared = false;

  constructor(base: Base<T>, budget?: StateBudget) {
    this.#base = base;
    this.#budget = budget;
  }

  /** How many records there are, soft-deleted ones included. */
  get size(): number {
    return (this.#changes ?? this.#base).size;
  }

  /** What the account's changes take in bytes. */
  get bytes(): number {
    return this.#changes?.bytes ?? 0;
  }

  get indexes(): Base<T>['indexes'] {
    return this.#base.indexes;
  }

  /** The record with this id, soft-deleted or not; ids match code point by code point. */
  get(id: string): T | undefined {
    const changed = this.#changes?.get(id);
    return changed === undefined ? this.#unchanged.get(id) : (changed ?? undefined);
  }

  /** Adds the record, or replaces the one with its id. */
  put(record: T): void {
    if (this.#budget) {
      const growth = bytesOfChange(record) - (this.#changes?.bytesOf(record.id) ?? 0);
      this.#budget.admit(growth, 'this record');
    }
    this.#change(record.id, (changes) => changes.set(record.id, record));
  }

  /**
   * Changes members of a record that was got from here, at the cost of these alone; returns it as it
   * is from now on.
   */
  amend(record: T, members: Partial<T>): T {
    return this.#change(record.id, (changes) => changes.amend(record, members));
  }

  /** Takes the record away without a tombstone; says whether there was one. */
  remove(id: string): boolean {
    if (this.get(id) === undefined) return false;
    this.#change(id, (changes) => changes.set(id, null));
    return true;
  }

  /** Takes all records away: one fact, however many there are. */
  clear(): void {
    this.restore(new ChangeSet(createBase(keepRows<T>([]), this.#base.indexes)));
  }

  /** Every record: the base's in its order, then the added ones in the order they came. */
  *[Symbol.iterator](): IterableIterator<T> {
    const base = this.#unchanged;
    for (const unchanged of base) {
      const record = this.#changes ? this.#changes.insteadOf(unchanged) : unchanged;
      if (record) yield record;
    }
    for (const id of this.#changes?.ids() ?? []) {
      const added = base.get(id) === undefined ? this.get(id) : undefined;
      if (added) yield added;
    }
  }

  /** The records whose keys in the index (a name that the base declares) hold `key`. */
  find(index: string, key: string): readonly T[] {
    const unchanged = this.#unchanged.find(index, key);
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
    const base = this.#unchanged.after(order, position);
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
    const unchanged = this.#unchanged.countUpTo(order, position);
    if (!this.#changes) return unchanged;
    const { added, hidden } = this.#changes.in(order);
    return unchanged + countIn(added, order, position) - countIn(hidden, order, position);
  }

  /** What all the records are. Costs the changes once the base has been gone through. */
  summing(): Steps<ContentSum> {
    return (this.#changes ?? this.#base).summing();
  }

  /** The account's changes, safe against what comes later. */
  snapshot(): Changes<T> {
    this.#isShared = true;
    return this.#changes;
  }

  /** Goes back to a snapshot of this collection, or of another over the same base. */
  restore(saved: Changes<T>): void {
    this.#budget?.add((saved?.bytes ?? 0) - this.bytes);
    this.#changes = saved;
    this.#isShared = true;
  }

  /** Stands over another base from now on, without any changes. */
  rebase(base: Base<T>): void {
    this.restore(undefined);
    this.#base = base;
  }

  /** The records under the changes. */
  get #unchanged(): Base<T> {
    return this.#changes?.base ?? this.#base;
  }

  #change<Result>(id: string, act: (changes: ChangeSet<T>) => Result): Result {
    if (!this.#changes) this.#changes = new ChangeSet(this.#base);
    else if (this.#isShared) this.#changes = this.#changes.copy();
    this.#isShared = false;
    if (!this.#budget) return act(this.#changes);
    const before = this.#changes.bytesOf(id);
    const result = act(this.#changes);
    const growth = this.#changes.bytesOf(id) - before;
    this.#changes.bytes += growth;
    this.#budget.add(growth);
    return result;
  }
}

function countIn<T>(sorted: readonly T[], order: Order<T>, position: Position | undefined): number {
  return countUpTo(sorted.length, (at) => order.positionOf(sorted[at] as T), position);
}

function isBefore<T>(order: Order<T>, one: T, other: T): boolean {
  return comparePositions(order.positionOf(one), order.positionOf(other)) < 0;
}
