import { areEqual } from './are-equal.js';
import { Base } from './base.js';
import { type Change, Changes, type Deletable, type Deletion } from './changes.js';
import { deepFreeze } from './freeze.js';
import type { FingerprintSum } from './hash.js';
import type { Identified } from './indexed-records.js';
import { compareIn, countUpTo, type Order, type Position } from './order.js';

/**
 * Undoes the changes of one operation to a collection, once all later ones are undone. It keeps
 * nothing for a record that was unchanged before.
 */
export interface Undo<T extends Deletable> {
  /** The number from which on changes are of records that were unchanged before. */
  readonly first: number;
  /** The earlier changes of the other records. */
  readonly earlier: Map<string, Change<T>>;
  /** All changes before all were replaced at once; later ones need no undo of their own. */
  replaced?: { readonly changes: Changes<T> | undefined; readonly size: number };
}

export interface Page<T> {
  readonly records: readonly T[];
  /** Whether more records follow. */
  readonly isFollowed: boolean;
}

export interface ChangedRecord extends Identified {
  readonly change: 'added' | 'updated' | 'removed';
}

/**
 * A copy-on-write fork of a base. Forking, taking a snapshot and restoring one cost nothing, but
 * the next change copies all changes. `remove` leaves no tombstone.
 */
export class Collection<T extends Deletable> {
  #base: Base<T>;
  /** Created at the first change, because most forks change one collection or none. */
  #changes: Changes<T> | undefined;
  /** Whether a snapshot shares the changes, so that the next change must copy them. */
  #isShared = false;
  /** What undoes the changes since recording began; undefined if it did not. */
  #undo: Undo<T> | undefined;

  constructor(base: Base<T>) {
    this.#base = base;
  }

  /** How many records there are, soft-deleted ones included. */
  get size(): number {
    return this.#unchanged.size + (this.#changes?.growth ?? 0);
  }

  get changeCount(): number {
    return this.#changes?.count ?? 0;
  }

  /** How many of them are deletions of records of the base, which leave a tombstone. */
  get deletions(): number {
    return this.#changes?.deletions ?? 0;
  }

  hasChanged(id: string): boolean {
    return this.#changes?.byId.has(id) ?? false;
  }

  /** The record with this id, soft-deleted or not. */
  get(id: string): T | undefined {
    return (this.#changes ?? this.#base).get(id);
  }

  /** Every record: those of the base in its order, then the added ones as they were added. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (const [, record] of this.from(0)) yield record;
  }

  /**
   * The records from a place on, each with its place, in the order of the iterator. A record keeps
   * its place when others are removed.
   */
  *from(start: number): Generator<readonly [place: number, record: T], void> {
    const { list } = this.#unchanged;
    for (let place = start; place < list.length; place += 1) {
      const record = this.get((list[place] as T).id);
      if (record) yield [place, record];
    }
    for (const [id, { number, record }] of this.#changes?.from(start - list.length) ?? []) {
      if (record && !this.#unchanged.get(id)) yield [list.length + number, record];
    }
  }

  /** The records whose keys in the index include `key`, in no particular order. */
  find(index: string, key: string): readonly T[] {
    const found = this.#unchanged.find(index, key);
    const changes = this.#changes;
    if (!changes) return found;
    const kept = found.flatMap(({ id }) =>
      changes.hidden?.get(id) ? [] : (changes.get(id) ?? []),
    );
    return [...kept, ...(changes.own?.find(index, key) ?? [])];
  }

  /** At most `limit` records after the position. The cost does not depend on how deep it lies. */
  page(order: Order<T>, position: Position | undefined, limit: number): Page<T> {
    const changes = this.#changes;
    const unchanged = this.#unchanged.in(order);
    let at = countUpTo(unchanged, order, position);
    if (!changes) {
      const end = at + limit;
      return { records: unchanged.slice(at, end), isFollowed: end < unchanged.length };
    }
    const own = changes.own?.in(order) ?? [];
    let ownAt = countUpTo(own, order, position);
    const records: T[] = [];
    for (;;) {
      let next = unchanged[at];
      while (next && changes.hidden?.get(next.id)) next = unchanged[++at];
      const other = own[ownAt];
      const isOwn = other && (!next || compareIn(order, other, next) < 0);
      const record = isOwn ? other : next && changes.get(next.id);
      if (!record || records.length === limit) return { records, isFollowed: Boolean(record) };
      records.push(record);
      if (isOwn) ownAt += 1;
      else at += 1;
    }
  }

  /** How many records are at or before the position in the order. */
  countUpTo(order: Order<T>, position: Position): number {
    const { own, hidden } = this.#changes ?? {};
    const [all, added, taken] = [this.#unchanged, own, hidden].map((records) =>
      records ? countUpTo(records.in(order), order, position) : 0,
    ) as [number, number, number];
    return all + added - taken;
  }

  /** The fingerprint sum of all records. Costs only the changes, once the base has its sum. */
  get sum(): FingerprintSum {
    return (this.#changes ?? this.#base).sum;
  }

  /**
   * How changed records differ from the base, from a number on. After `clear`, only what was put
   * since counts as changed.
   */
  *changedFrom(first: number): Generator<readonly [number: number, changed: ChangedRecord], void> {
    for (const [id, { number, record }] of this.#changes?.from(first) ?? []) {
      const changed = this.#base.get(id) ? 'updated' : 'added';
      yield [number, { id, change: record ? changed : 'removed' }];
    }
  }

  /** Adds the record, or replaces the one with its id. */
  put(record: T): void {
    const unchanged = this.#unchanged.get(record.id);
    const deletion = unchanged && deletionIn(record, unchanged);
    if (deletion) this.#change(record.id, unchanged, deletion);
    else this.#change(record.id, unchanged && areEqual(record, unchanged) ? undefined : record);
  }

  /** Adds the timestamps of a deletion to a record that was read from here; returns the result. */
  softDelete(record: T, deletion: Deletion): T {
    const deleted = Object.freeze({ ...record, ...deletion });
    if (this.hasChanged(record.id)) this.put(deleted);
    else this.#change(record.id, record, deepFreeze(deletion));
    return deleted;
  }

  /** Removes the record without a tombstone; returns whether there was one. */
  remove(id: string): boolean {
    if (this.get(id) === undefined) return false;
    this.#change(id, this.#unchanged.get(id) ? null : undefined);
    return true;
  }

  /** Whether all records of the base were removed by `clear`. */
  get isCleared(): boolean {
    return this.#unchanged !== this.#base;
  }

  /** Removes all records, at the cost of a single change. */
  clear(): void {
    this.restore(new Changes(new Base<T>(this.#base.indexes, () => new Map())));
  }

  /** The changes as they are now, which the next change copies. */
  snapshot(): Changes<T> | undefined {
    this.#isShared = true;
    return this.#changes;
  }

  /** Restores a snapshot of this collection, or of another over the same base. */
  restore(saved: Changes<T> | undefined): void {
    if (this.#undo) this.#undo.replaced ??= { changes: this.snapshot(), size: this.size };
    this.#changes = saved;
    this.#isShared = true;
  }

  /** Begins to record what undoes its changes. */
  startRecording(): void {
    this.#undo = { first: this.#changes?.nextNumber ?? 0, earlier: new Map() };
  }

  /** Ends recording; returns what undoes the changes since it began, or undefined without any. */
  stopRecording(): (Undo<T> & { readonly count: number }) | undefined {
    const undo = this.#undo;
    this.#undo = undefined;
    if (!undo) return undefined;
    const { first, earlier, replaced } = undo;
    const changed = earlier.size + (this.#changes?.nextNumber ?? first) - first;
    return replaced || changed > 0 ? { ...undo, count: replaced?.size ?? changed } : undefined;
  }

  /** Undoes an operation since which nothing else has changed it. */
  undo({ replaced, earlier, first }: Undo<T>): void {
    if (replaced) this.restore(replaced.changes);
    for (const [id] of this.#changes?.from(first) ?? []) this.#set(id, undefined);
    for (const [id, change] of earlier) this.#set(id, change);
  }

  /** Becomes an unchanged fork of another base. */
  rebase(base: Base<T>): void {
    this.restore(undefined);
    this.#base = base;
  }

  get #unchanged(): Base<T> {
    return this.#changes?.base ?? this.#base;
  }

  /** Notes what became of a record; undefined if it is as it was in the base, or not there. */
  #change(id: string, record: T | null | undefined, deletion?: Deletion): void {
    const earlier = this.#changes?.byId.get(id);
    const undo = this.#undo;
    if (undo && !undo.replaced && earlier && earlier.number < undo.first && !undo.earlier.has(id))
      undo.earlier.set(id, earlier);
    const number = earlier?.number ?? this.#changes?.nextNumber ?? 0;
    this.#set(id, record === undefined ? undefined : { record, deletion, number });
  }

  #set(id: string, change: Change<T> | undefined): void {
    if (!this.#changes || this.#isShared)
      this.#changes = new Changes(this.#unchanged, this.#changes);
    this.#isShared = false;
    this.#changes.set(id, change);
  }
}

/** The timestamps of a deletion, if they are all that distinguishes a record from that of the base. */
function deletionIn<T extends Deletable>(record: T, unchanged: T): Deletion | undefined {
  const { deletedAt, updatedAt } = record;
  if (deletedAt === undefined || unchanged.deletedAt !== undefined) return undefined;
  const deletion = { deletedAt, ...(updatedAt !== unchanged.updatedAt && { updatedAt }) };
  return areEqual(record, { ...unchanged, ...deletion }) ? Object.freeze(deletion) : undefined;
}
