import { bytesOf } from './bytes-of.js';
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

interface Identified {
  readonly id: string;
}

/**
 * The change of one record, as data which JSON can write: the record that replaces the base's, the
 * members that differ from it, or that it was removed.
 */
export type WrittenChange<T> =
  | { readonly put: T }
  | { readonly update: string; readonly members: Partial<T> }
  | { readonly remove: string };

/** A change with its number, by which it is found again whatever happens to those before it. */
export type Change<T> = WrittenChange<T> & { readonly number: number };

/** What a change has made of a record. */
export interface ChangedRecord extends Identified {
  readonly change: 'added' | 'updated' | 'removed';
}

/** What a change takes in bytes beside its record: its place among the others. */
const PLACE_BYTES = 100;

/** About what a change takes in bytes. */
export function bytesOfChange(change: WrittenChange<object>): number {
  if ('remove' in change) return PLACE_BYTES;
  return PLACE_BYTES + bytesOf('put' in change ? change.put : change.members);
}

/** The changes of records over a base, and how to find them again. */
export class Changes<T extends Identified> {
  /** What is changed: the records of the dataset, or none if all of them were removed at once. */
  readonly base: Base<T>;
  /** What the changes take in bytes. */
  bytes = 0;
  /** In the order in which the records were first changed, which is also that of their numbers. */
  #changes = new Map<string, Change<T>>();
  #nextNumber = 0;
  #size: number;
  /** Built when something is first looked up. */
  #indexed: IndexedChanges<T> | undefined;
  /** The changes in each order that is in use, by its name. */
  #sorted: Map<string, SortedChanges<T>> | undefined;
  #sum: FingerprintSum | undefined;

  constructor(base: Base<T>) {
    this.base = base;
    this.#size = base.size;
  }

  /** A copy, which may change on its own. */
  copy(): Changes<T> {
    const copy = new Changes(this.base);
    copy.bytes = this.bytes;
    copy.#changes = new Map(this.#changes);
    copy.#nextNumber = this.#nextNumber;
    copy.#size = this.#size;
    return copy;
  }

  /** How many records there are with the changes. */
  get size(): number {
    return this.#size;
  }

  /** How many records are changed. */
  get count(): number {
    return this.#changes.size;
  }

  /**
   * The ids of the changed records from a number on, each with its own, in the order in which they
   * were first changed. A record keeps its number for as long as it is changed.
   */
  *idsFrom(first: number): Generator<readonly [number: number, id: string], void> {
    for (const [id, { number }] of this.#changes) if (number >= first) yield [number, id];
  }

  /** The changes as data, in the order in which the records were first changed. */
  *written(): Iterable<WrittenChange<T>> {
    for (const { number, ...change } of this.#changes.values()) yield change;
  }

  has(id: string): boolean {
    return this.#changes.has(id);
  }

  /** The changed record; `null` if it was removed, `undefined` if it was not changed. */
  get(id: string): T | null | undefined {
    const change = this.#changes.get(id);
    if (change === undefined) return undefined;
    if ('put' in change) return change.put;
    if ('remove' in change) return null;
    const unchanged = this.base.get(id);
    return unchanged && withMembers(unchanged, change.members);
  }

  /** What the change of this record takes in bytes. */
  bytesOf(id: string): number {
    const change = this.#changes.get(id);
    return change === undefined ? 0 : bytesOfChange(change);
  }

  /** Replaces the record with this id, or removes it with `null`. */
  set(id: string, record: T | null): void {
    const number = this.#changes.get(id)?.number ?? this.#nextNumber++;
    const change = record === null ? { remove: id, number } : { put: record, number };
    this.#note(id, change, this.base.get(id), record);
  }

  /**
   * Updates members of a record that was read from here or from the base, at the cost of these
   * alone; returns the updated record.
   */
  update(record: T, members: Partial<T>): T {
    const { id } = record;
    const updated = withMembers(record, members);
    if (this.#changes.has(id)) this.set(id, updated);
    else this.#note(id, { update: id, members, number: this.#nextNumber++ }, record, updated);
    return updated;
  }

  /** What has changed the record with this id, for `putBack`; undefined if it is unchanged. */
  changeOf(id: string): Change<T> | undefined {
    return this.#changes.get(id);
  }

  /** Puts back what had changed a record before it was updated; without it, the base's record. */
  putBack(id: string, earlier: Change<T> | undefined): void {
    this.bytes -= this.bytesOf(id);
    if (earlier) this.#changes.set(id, earlier);
    else this.#changes.delete(id);
    this.bytes += this.bytesOf(id);
    // This is rare, so they are built again.
    this.#indexed = undefined;
    this.#sorted = undefined;
    this.#sum = undefined;
  }

  /** What replaces a record of the base: itself if it is unchanged, `null` if it was removed. */
  insteadOf(unchanged: T): T | null {
    const changed = this.get(unchanged.id);
    return changed === undefined ? unchanged : changed;
  }

  /** The changed records that have a key in an index which the base's record does not have. */
  findChanged(index: string, key: string): readonly T[] {
    this.#indexed ??= this.#index();
    return presentOf(this.#indexed.under(index, key), (id) => this.get(id));
  }

  /** The changes in the order. */
  in(order: Order<T>): SortedChanges<T> {
    this.#sorted ??= new Map();
    const known = this.#sorted.get(order.name) ?? this.#sort(order);
    this.#sorted.set(order.name, known);
    return known.use();
  }

  /** The sum of all the records with the changes; nothing may be changed while it is computed. */
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
    const wasThere = (earlier ? before : unchanged) !== undefined;
    this.#size += Number(after !== null) - Number(wasThere);
    if (earlier) this.bytes -= bytesOfChange(earlier);
    if (after === null && unchanged === undefined) this.#changes.delete(id);
    else {
      this.#changes.set(id, change);
      this.bytes += bytesOfChange(change);
    }
    this.#indexed?.follow(before, after, unchanged);
    const hidden = earlier ? undefined : unchanged;
    for (const [name, sorted] of this.#sorted ?? []) {
      if (!sorted.follow(before, after, hidden)) this.#sorted?.delete(name);
    }
    this.#sum = undefined;
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

/** An index of changed records: the keys that they have and the base's records do not. */
class IndexedChanges<T extends Identified> {
  readonly #indexes: readonly [index: string, keysOf: Indexes<T>[string]][];
  /** One id, or those that share the key in the order in which they got it. */
  readonly #ids = new Map<string, string | Set<string>>();

  constructor(indexes: Indexes<T>) {
    this.#indexes = Object.entries(indexes);
  }

  /** The ids of the changed records that have the key in the index. */
  under(index: string, key: string): Iterable<string> {
    const ids = this.#ids.size === 0 ? [] : (this.#ids.get(placeOf(index, key)) ?? []);
    return typeof ids === 'string' ? [ids] : ids;
  }

  /** Replaces the keys that the record had before its change by those that it has after. */
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

/** So many changes between two reads are put in their places; beyond it, sorting again is cheaper. */
const MOST_EDITS = 1_000;

/** The changes as a listing needs them, in its order. */
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

  /** The records that were put. */
  get added(): readonly T[] {
    return this.#added;
  }

  /** The base records that were replaced or removed. */
  get hidden(): readonly T[] {
    return this.#hidden;
  }

  /** Says that this was read, so that it is worth updating. */
  use(): this {
    this.#edits = 0;
    return this;
  }

  /** Follows a change; returns false if sorting again is cheaper. */
  follow(before: T | undefined, after: T | null, hidden: T | undefined): boolean {
    this.#edits += 1;
    if (this.#edits > MOST_EDITS) return false;
    if (before) this.#added.splice(this.#countUpTo(this.#added, before) - 1, 1);
    if (after) this.#added.splice(this.#countUpTo(this.#added, after), 0, after);
    if (hidden) this.#hidden.splice(this.#countUpTo(this.#hidden, hidden), 0, hidden);
    return true;
  }

  #countUpTo(sorted: readonly T[], record: T): number {
    return countRecordsUpTo(sorted, this.#order, this.#order.positionOf(record));
  }
}

/** A frozen record with these members. */
function withMembers<T>(record: T, members: Partial<T>): T {
  return Object.freeze({ ...record, ...deepFreeze(members) });
}

/** The records found by these ids; ids without a record are left out. */
function presentOf<T>(ids: Iterable<string>, find: (id: string) => T | null | undefined): T[] {
  return Array.from(ids, find).filter((record) => record != null);
}
