import { areEqual } from './are-equal.js';
import { deepFreeze } from './freeze.js';
import { addRecord, type FingerprintSum } from './hash.js';
import {
  type Base,
  countRecordsUpTo,
  type Indexes,
  inOrder,
  type Order,
} from './shared-records.js';
import { inSteps, type Steps } from './work-in-steps.js';

/** A record, which may be deleted but leave a tombstone. */
export interface Deletable {
  readonly id: string;
  readonly deletedAt?: string | undefined;
}

/** A change to a record: a whole record, updated members or a removal. */
type RecordChange<T> =
  | { readonly put: T }
  | { readonly members: Partial<T> }
  | { readonly isRemoved: true };

/** A change, with its number, which stays the same whatever happens to earlier changes. */
export type Change<T> = RecordChange<T> & { readonly number: number };

export interface ChangedRecord {
  readonly id: string;
  readonly change: 'added' | 'updated' | 'removed';
}

/** The changed records over a base, indexed and sorted on demand. */
export class Changes<T extends Deletable> {
  /** The records under the changes: those of the dataset, or none after `clear`. */
  readonly base: Base<T>;
  /** By id, in order of first change, which is the order of their numbers. */
  #changes = new Map<string, Change<T>>();
  #nextNumber = 0;
  /** How many records the changes add, less those that they remove. */
  #growth = 0;
  /** How many of the changes are deletions. */
  #deletions = 0;
  /** Built at the first lookup. */
  #indexed: IndexedChanges<T> | undefined;
  /** By the name of each order that is in use. */
  #sorted: Map<string, SortedChanges<T>> | undefined;
  #sum: FingerprintSum | undefined;

  constructor(base: Base<T>) {
    this.base = base;
  }

  copy(): Changes<T> {
    const copy = new Changes(this.base);
    copy.#changes = new Map(this.#changes);
    copy.#nextNumber = this.#nextNumber;
    copy.#growth = this.#growth;
    copy.#deletions = this.#deletions;
    return copy;
  }

  /** The number that the next change of an unchanged record gets. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** How many records there are, changes included. */
  get size(): number {
    return this.base.size + this.#growth;
  }

  /** How many records are changed. */
  get count(): number {
    return this.#changes.size;
  }

  /** How many of them are records of the base that were deleted and left a tombstone. */
  get deletions(): number {
    return this.#deletions;
  }

  /**
   * The ids of the changed records from a number on, each with its number, in the order in which
   * they were first changed.
   */
  *idsFrom(first: number): Generator<readonly [number: number, id: string], void> {
    for (const [id, { number }] of this.#changes) if (number >= first) yield [number, id];
  }

  has(id: string): boolean {
    return this.#changes.has(id);
  }

  /** The changed record; `null` if it was removed, `undefined` if it was not changed. */
  get(id: string): T | null | undefined {
    const change = this.#changes.get(id);
    if (change === undefined) return undefined;
    if ('put' in change) return change.put;
    if ('isRemoved' in change) return null;
    const unchanged = this.base.get(id);
    return unchanged && withMembers(unchanged, change.members);
  }

  /**
   * Adds or replaces the record with this id, or removes it with `null`. A record that equals the
   * base's is no change.
   */
  set(id: string, record: T | null): void {
    const unchanged = this.base.get(id);
    if (record && unchanged && areEqual(record, unchanged)) {
      this.#replace(id, undefined, unchanged);
      return;
    }
    const number = this.#changes.get(id)?.number ?? this.#nextNumber++;
    const change = record === null ? { isRemoved: true as const } : { put: record };
    this.#note(id, { ...change, number }, unchanged, record);
  }

  /**
   * Updates members of a record that was read from here or from the base, storing only these
   * members if it was unchanged; returns the updated record.
   */
  update(record: T, members: Partial<T>): T {
    const { id } = record;
    const updated = withMembers(record, members);
    const earlier = this.#changes.get(id);
    if (earlier) this.set(id, updated);
    else this.#note(id, { members, number: this.#nextNumber++ }, record, updated);
    return updated;
  }

  /** What has changed the record with this id, for `putBack`; undefined if it is unchanged. */
  changeOf(id: string): Change<T> | undefined {
    return this.#changes.get(id);
  }

  /** Puts back the earlier changes of records, and drops the changes from a number on. */
  putBack(earlier: ReadonlyMap<string, Change<T>>, first: number): void {
    for (const [id, change] of earlier) this.#replace(id, change);
    for (const [, id] of this.idsFrom(first)) this.#replace(id, undefined);
    if (earlier.size === 0) return;
    const inOrderOfNumbers = [...this.#changes].sort(
      ([, one], [, other]) => one.number - other.number,
    );
    this.#changes = new Map(inOrderOfNumbers);
  }

  #replace(id: string, change: Change<T> | undefined, unchanged = this.base.get(id)): void {
    const current = () => (this.#changes.has(id) ? this.get(id) : unchanged) ?? undefined;
    const before = current();
    this.#set(id, change);
    this.#count(unchanged, before, current());
    // This is rare, so the index, orders and sum are built again.
    this.#indexed = undefined;
    this.#sorted = undefined;
    this.#sum = undefined;
  }

  /**
   * The current version of a record of the base: itself if it is unchanged, `null` if it was
   * removed.
   */
  insteadOf(unchanged: T): T | null {
    const changed = this.get(unchanged.id);
    return changed === undefined ? unchanged : changed;
  }

  /** The changed records that have gained a key in an index. */
  findChanged(index: string, key: string): readonly T[] {
    this.#indexed ??= this.#index();
    return presentOf(this.#indexed.under(index, key), (id) => this.get(id));
  }

  in(order: Order<T>): SortedChanges<T> {
    this.#sorted ??= new Map();
    const known = this.#sorted.get(order.name) ?? this.#sort(order);
    this.#sorted.set(order.name, known);
    return known.use();
  }

  /** The fingerprint sum of all records with their changes; nothing may change meanwhile. */
  *summing(): Steps<FingerprintSum> {
    if (this.#sum) return this.#sum;
    let sum = yield* this.base.summing();
    yield* inSteps(this.#changes.keys(), (id) => {
      const [unchanged, record] = [this.base.get(id), this.get(id)];
      if (unchanged) sum = addRecord(sum, unchanged, -1);
      if (record) sum = addRecord(sum, record);
    });
    this.#sum = sum;
    return sum;
  }

  #note(id: string, change: Change<T>, unchanged: T | undefined, after: T | null): void {
    const earlier = this.#changes.get(id);
    const before = earlier && (this.get(id) ?? undefined);
    this.#count(unchanged, earlier ? before : unchanged, after ?? undefined);
    this.#set(id, after === null && unchanged === undefined ? undefined : change);
    this.#indexed?.follow(before, after, unchanged);
    const hidden = earlier ? undefined : unchanged;
    for (const [name, sorted] of this.#sorted ?? []) {
      if (!sorted.follow(before, after, hidden)) this.#sorted?.delete(name);
    }
    this.#sum = undefined;
  }

  /** Counts what a record became. */
  #count(unchanged: T | undefined, before: T | undefined, after: T | undefined): void {
    const isDeleted = (record: T | undefined) =>
      record?.deletedAt !== undefined && unchanged !== undefined && !unchanged.deletedAt;
    this.#growth += Number(after !== undefined) - Number(before !== undefined);
    this.#deletions += Number(isDeleted(after)) - Number(isDeleted(before));
  }

  #set(id: string, change: Change<T> | undefined): void {
    if (change) this.#changes.set(id, change);
    else this.#changes.delete(id);
  }

  #index(): IndexedChanges<T> {
    const indexed = new IndexedChanges<T>(this.base.indexes);
    for (const id of this.#changes.keys()) {
      indexed.follow(undefined, this.get(id), this.base.get(id));
    }
    return indexed;
  }

  #sort(order: Order<T>): SortedChanges<T> {
    const added = presentOf(this.#changes.keys(), (id) => this.get(id));
    const hidden = presentOf(this.#changes.keys(), (id) => this.base.get(id));
    return new SortedChanges(order, added, hidden);
  }
}

/** Indexes changed records by the keys that they have and that their records in the base lack. */
class IndexedChanges<T extends Deletable> {
  readonly #indexes: readonly [index: string, keysOf: Indexes<T>[string]][];
  /** By index and key: one id, or those that share the key in the order in which they got it. */
  readonly #ids = new Map<string, string | Set<string>>();

  constructor(indexes: Indexes<T>) {
    this.#indexes = Object.entries(indexes);
  }

  under(index: string, key: string): Iterable<string> {
    const ids = this.#ids.size === 0 ? [] : (this.#ids.get(placeOf(index, key)) ?? []);
    return typeof ids === 'string' ? [ids] : ids;
  }

  /** Replaces the keys that a record had before a change with those that it has now. */
  follow(before: T | undefined, after: T | null | undefined, unchanged: T | undefined): void {
    for (const place of this.#newPlaces(before, unchanged)) {
      const ids = this.#ids.get(place);
      if (before && typeof ids === 'object' && ids.size > 1) ids.delete(before.id);
      else this.#ids.delete(place);
    }
    if (!after) return;
    for (const place of this.#newPlaces(after, unchanged)) {
      const ids = this.#ids.get(place);
      if (ids === undefined) this.#ids.set(place, after.id);
      else if (typeof ids === 'string') this.#ids.set(place, new Set([ids, after.id]));
      else ids.add(after.id);
    }
  }

  *#newPlaces(record: T | undefined, unchanged: T | undefined): Iterable<string> {
    if (!record) return;
    for (const [index, keysOf] of this.#indexes) {
      const keys = keysOf(record);
      const knownKeys = unchanged ? keysOf(unchanged) : [];
      // Most changes leave the keys as they are.
      if (keys.every((key, nth) => key === knownKeys[nth])) continue;
      const known = new Set(knownKeys);
      for (const key of new Set(keys)) if (!known.has(key)) yield placeOf(index, key);
    }
  }
}

function placeOf(index: string, key: string): string {
  return `${index}\u0000${key}`;
}

/** After this many changes without a read, sorting again is cheaper than inserting each. */
const MAX_EDITS = 1_000;

class SortedChanges<T> {
  readonly #order: Order<T>;
  readonly #added: T[];
  readonly #hidden: T[];
  #edits = 0;

  constructor(order: Order<T>, added: readonly T[], hidden: readonly T[]) {
    this.#order = order;
    this.#added = inOrder(added, order);
    this.#hidden = inOrder(hidden, order);
  }

  /** The changed records, without removed ones. */
  get added(): readonly T[] {
    return this.#added;
  }

  /** The records of the base that were replaced or removed. */
  get hidden(): readonly T[] {
    return this.#hidden;
  }

  /** Notes a read: an order that is read is worth keeping sorted. */
  use(): this {
    this.#edits = 0;
    return this;
  }

  /** Inserts a change in its place; returns false if sorting again is cheaper. */
  follow(before: T | undefined, after: T | null, hidden: T | undefined): boolean {
    this.#edits += 1;
    if (this.#edits > MAX_EDITS) return false;
    if (before) this.#added.splice(this.#countUpTo(this.#added, before) - 1, 1);
    if (after) this.#added.splice(this.#countUpTo(this.#added, after), 0, after);
    if (hidden) this.#hidden.splice(this.#countUpTo(this.#hidden, hidden), 0, hidden);
    return true;
  }

  #countUpTo(sorted: readonly T[], record: T): number {
    return countRecordsUpTo(sorted, this.#order, this.#order.positionOf(record));
  }
}

function withMembers<T>(record: T, members: Partial<T>): T {
  return Object.freeze({ ...record, ...deepFreeze(members) });
}

function presentOf<T>(ids: Iterable<string>, find: (id: string) => T | null | undefined): T[] {
  return Array.from(ids, find).filter((record) => record != null);
}
