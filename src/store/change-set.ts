import type { Base } from './base.js';
import { bytesOfChange, type Change, ChangedMembers, type WrittenChange } from './change.js';
import { addRecord, type FingerprintSum } from './fingerprint-sum.js';
import { deepFreeze } from './freeze.js';
import { IndexedChanges } from './index-changes.js';
import type { Order } from './order.js';
import { SortedChanges } from './sort-changes.js';
import { inSteps, type Steps } from './work-in-steps.js';

/** A change with its number, by which it is found again whatever happens to those before it. */
interface Numbered<T> {
  readonly number: number;
  readonly change: Change<T>;
}

/** The changes of records over a base, and how to find them again. */
export class ChangeSet<T extends { readonly id: string }> {
  /** What is changed: the records of the dataset, or none if all of them were removed at once. */
  readonly base: Base<T>;
  /** What the changes take in bytes; counted by the collection, if it has a budget. */
  bytes = 0;
  /** In the order in which the records were first changed, and so in that of their numbers. */
  #changes = new Map<string, Numbered<T>>();
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
  copy(): ChangeSet<T> {
    const copy = new ChangeSet(this.base);
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
    for (const [id, { change }] of this.#changes) {
      if (change === null) yield { remove: id };
      else if (change instanceof ChangedMembers) yield { update: id, members: change.members };
      else yield { put: change };
    }
  }

  has(id: string): boolean {
    return this.#changes.has(id);
  }

  /** The changed record; `null` if it was removed, `undefined` if it was not changed. */
  get(id: string): T | null | undefined {
    const change = this.#changes.get(id)?.change;
    if (!(change instanceof ChangedMembers)) return change;
    const unchanged = this.base.get(id);
    return unchanged && withMembers(unchanged, change.members);
  }

  /** What the change of this record takes in bytes. */
  bytesOf(id: string): number {
    const change = this.#changes.get(id)?.change;
    return change === undefined ? 0 : bytesOfChange(change);
  }

  /** Replaces the record with this id, or removes it with `null`. */
  set(id: string, record: T | null): void {
    this.#note(id, record, this.base.get(id), record);
  }

  /**
   * Updates members of a record that was read from here or from the base, at the cost of these
   * alone; returns the updated record.
   */
  update(record: T, members: Partial<T>): T {
    const { id } = record;
    const updated = withMembers(record, members);
    if (this.#changes.has(id)) this.#note(id, updated, this.base.get(id), updated);
    else this.#note(id, new ChangedMembers(members), record, updated);
    return updated;
  }

  /** What replaces a record of the base: itself if it is unchanged, `null` if it was removed. */
  insteadOf(unchanged: T): T | null {
    const changed = this.get(unchanged.id);
    return changed === undefined ? unchanged : changed;
  }

  /** The changed records that have a key in an index which the base's record does not have. */
  findChanged(index: string, key: string): readonly T[] {
    this.#indexed ??= this.#index();
    return Array.from(this.#indexed.under(index, key), (id) => this.get(id)).filter(isPresent);
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
    const before = earlier === undefined ? undefined : (this.get(id) ?? undefined);
    const wasThere = earlier === undefined ? unchanged !== undefined : before !== undefined;
    this.#size += Number(after !== null) - Number(wasThere);
    if (change === null && unchanged === undefined) this.#changes.delete(id);
    else this.#changes.set(id, { change, number: earlier?.number ?? this.#nextNumber++ });
    if (before) this.#indexed?.remove(before, unchanged);
    if (after) this.#indexed?.add(after, unchanged);
    const hidden = earlier === undefined ? unchanged : undefined;
    for (const [name, sorted] of this.#sorted ?? []) {
      if (!sorted.follow(before, after ?? undefined, hidden)) this.#sorted?.delete(name);
    }
    this.#sum = undefined;
  }

  #index(): IndexedChanges<T> {
    const keys = new IndexedChanges<T>(this.base.indexes);
    for (const id of this.#changes.keys()) {
      const record = this.get(id);
      if (record) keys.add(record, this.base.get(id));
    }
    return keys;
  }

  #sort(order: Order<T>): SortedChanges<T> {
    const ids = [...this.#changes.keys()];
    const added = ids.map((id) => this.get(id)).filter(isPresent);
    const hidden = ids.map((id) => this.base.get(id)).filter(isPresent);
    return new SortedChanges(order, added, hidden);
  }
}

/** A frozen record with these members. */
function withMembers<T>(record: T, members: Partial<T>): T {
  return Object.freeze({ ...record, ...deepFreeze(members) });
}

function isPresent<Value>(value: Value | null | undefined): value is Value {
  return value != null;
}
