import { type Base, deepFreeze } from './base.js';
import { ChangedKeys } from './changed-keys.js';
import { addRecord, type ContentSum } from './content-sum.js';
import type { Order } from './order.js';
import { SortedChanges } from './sorted-changes.js';
import { inSteps, type Steps } from './steps.js';

/** Members that differ from those of the base's record. */
class Amendment<T> {
  readonly members: Partial<T>;

  constructor(members: Partial<T>) {
    this.members = members;
  }
}

/**
 * What an account did to one record: the record that stands over the base's, the members that
 * differ from it, or `null` if it was removed.
 */
type Change<T> = T | Amendment<T> | null;

/** What a change takes in bytes beside its record: its place among the others. */
const PLACE_BYTES = 100;
/** What a record takes for each character of its JSON; measured over records of all kinds. */
const BYTES_A_CHARACTER = 2;

/** The changes that an account has made to a base, and how to find them again. */
export class ChangeSet<T extends { readonly id: string }> {
  /** What is changed: the records of the dataset, or none if all of them were taken away at once. */
  readonly base: Base<T>;
  /** What the changes take, as far as whoever makes them counts it. */
  bytes = 0;
  #changes = new Map<string, Change<T>>();
  #size: number;
  /** Made when something is first looked up. */
  #keys: ChangedKeys<T> | undefined;
  /** The changes in each order that is in use. */
  #sorted: Map<string, SortedChanges<T>> | undefined;
  #sum: ContentSum | undefined;

  constructor(base: Base<T>) {
    this.base = base;
    this.#size = base.size;
  }

  /** The same changes, to go on from. */
  copy(): ChangeSet<T> {
    const copy = new ChangeSet(this.base);
    copy.bytes = this.bytes;
    copy.#changes = new Map(this.#changes);
    copy.#size = this.#size;
    return copy;
  }

  /** How many records there are with the changes. */
  get size(): number {
    return this.#size;
  }

  /** The ids of the changed records, in the order in which they were first changed. */
  ids(): Iterable<string> {
    return this.#changes.keys();
  }

  has(id: string): boolean {
    return this.#changes.has(id);
  }

  /** The record as it was changed; `null` if it was removed, nothing if it was not changed. */
  get(id: string): T | null | undefined {
    const change = this.#changes.get(id);
    if (!(change instanceof Amendment)) return change;
    const unchanged = this.base.get(id);
    return unchanged && amend(unchanged, change.members);
  }

  /** What the change of this id takes in bytes. */
  bytesOf(id: string): number {
    const change = this.#changes.get(id);
    return change === undefined ? 0 : bytesOfChange(change);
  }

  /** Puts a record in the place of the one with this id, or `null` to remove it. */
  set(id: string, record: T | null): void {
    this.#note(id, record, this.base.get(id), record);
  }

  /**
   * Changes members of a record that was got from here or from the base, at the cost of these alone;
   * returns it as it is from now on.
   */
  amend(record: T, members: Partial<T>): T {
    const { id } = record;
    const amended = amend(record, members);
    if (this.#changes.has(id)) this.#note(id, amended, this.base.get(id), amended);
    else this.#note(id, new Amendment(members), record, amended);
    return amended;
  }

  /** What the account has in the place of a record of the base. */
  insteadOf(unchanged: T): T | null {
    const changed = this.get(unchanged.id);
    return changed === undefined ? unchanged : changed;
  }

  /** The changed records that bear a key in an index which the base's record does not bear. */
  bearing(index: string, key: string): readonly T[] {
    this.#keys ??= this.#findKeys();
    return Array.from(this.#keys.under(index, key), (id) => this.get(id)).filter(isPresent);
  }

  /** The changes in the order. */
  in(order: Order<T>): SortedChanges<T> {
    this.#sorted ??= new Map();
    const known = this.#sorted.get(order.name) ?? this.#sort(order);
    this.#sorted.set(order.name, known);
    return known.use();
  }

  /** What all the records are with the changes; nobody may make one while this is under way. */
  *summing(): Steps<ContentSum> {
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
    else this.#changes.set(id, change);
    if (before) this.#keys?.remove(before, unchanged);
    if (after) this.#keys?.add(after, unchanged);
    const hidden = earlier === undefined ? unchanged : undefined;
    for (const [name, sorted] of this.#sorted ?? []) {
      if (!sorted.follow(before, after ?? undefined, hidden)) this.#sorted?.delete(name);
    }
    this.#sum = undefined;
  }

  #findKeys(): ChangedKeys<T> {
    const keys = new ChangedKeys<T>(this.base.indexes);
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

/** About what it takes to keep a record, `null` for a removed one, or what was amended. */
export function bytesOfChange(change: object | null): number {
  if (change === null || change instanceof Amendment) return PLACE_BYTES;
  return PLACE_BYTES + BYTES_A_CHARACTER * JSON.stringify(change).length;
}

/** A frozen record with other members. */
function amend<T>(record: T, members: Partial<T>): T {
  return Object.freeze({ ...record, ...deepFreeze(members) });
}

function isPresent<Value>(value: Value | null | undefined): value is Value {
  return value != null;
}
