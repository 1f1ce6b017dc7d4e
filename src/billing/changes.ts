import { type Base, deepFreeze, type Indexes } from './base.js';
import { inOrder, type Order } from './order.js';

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
export type Change<T> = T | Amendment<T> | null;

/** What an account changed, by the ids of the records. */
export type Changes<T> = ReadonlyMap<string, Change<T>>;

/** The changes as a listing needs them, in its order. */
export interface SortedChanges<T> {
  /** The records that were put. */
  readonly added: readonly T[];
  /** The records of the base that these replace, or that were removed. */
  readonly hidden: readonly T[];
}

/** The changes that an account has made to a base, and how to find them again. */
export class ChangeSet<T extends { readonly id: string }> {
  readonly #base: Base<T>;
  readonly #indexes: readonly [index: string, keysOf: Indexes<T>[string]][];
  readonly #changes = new Map<string, Change<T>>();
  /** Index and key -> ids of changed records that bear a key which the base's record does not. */
  #newKeys: Map<string, readonly string[]> | undefined;
  /** The changes in each order; forgotten when a change comes. */
  #sorted: Map<string, SortedChanges<T>> | undefined;

  constructor(base: Base<T>) {
    this.#base = base;
    this.#indexes = Object.entries(base.indexes);
  }

  /** The changes themselves. */
  get changes(): Changes<T> {
    return this.#changes;
  }

  has(id: string): boolean {
    return this.#changes.has(id);
  }

  /** The record as it was changed; `null` if it was removed, nothing if it was not changed. */
  get(id: string): T | null | undefined {
    const change = this.#changes.get(id);
    if (!(change instanceof Amendment)) return change;
    const unchanged = this.#base.get(id);
    return unchanged && amend(unchanged, change.members);
  }

  /** Notes what is done to the record of this id from now on. */
  set(id: string, change: Change<T>): void {
    const unchanged = this.#base.get(id);
    const isAmended = change instanceof Amendment;
    const after = isAmended ? unchanged && amend(unchanged, change.members) : change;
    this.#note(id, change, unchanged, after);
  }

  /**
   * Changes members of a record that was got from here or from the base, at the cost of these alone;
   * returns it as it is from now on.
   */
  amend(record: T, members: Partial<T>): T {
    const { id } = record;
    const amended = amend(record, members);
    if (this.#changes.has(id)) this.#note(id, amended, this.#base.get(id), amended);
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
    if (!this.#newKeys) return [];
    const ids = this.#newKeys.get(placeOf(index, key)) ?? [];
    return ids.map((id) => this.get(id)).filter(isPresent);
  }

  /** The changes in the order. */
  in(order: Order<T>): SortedChanges<T> {
    const ids = [...this.#changes.keys()];
    this.#sorted ??= new Map();
    const known = this.#sorted.get(order.name) ?? {
      added: inOrder(ids.map((id) => this.get(id)).filter(isPresent), order),
      hidden: inOrder(ids.map((id) => this.#base.get(id)).filter(isPresent), order),
    };
    this.#sorted.set(order.name, known);
    return known;
  }

  #note(id: string, change: Change<T>, unchanged: T | undefined, after?: T | null): void {
    const before = this.get(id);
    if (before) this.#index(before, unchanged, (ids) => ids.filter((other) => other !== id));
    if (change === null && unchanged === undefined) this.#changes.delete(id);
    else this.#changes.set(id, change);
    if (after) this.#index(after, unchanged, (ids) => [...ids, id]);
    this.#sorted = undefined;
  }

  /** Updates the ids under every key that the record bears and the base's does not. */
  #index(
    record: T,
    unchanged: T | undefined,
    update: (ids: readonly string[]) => readonly string[],
  ): void {
    for (const [index, keysOf] of this.#indexes) {
      const known = unchanged ? keysOf(unchanged) : [];
      const keys = keysOf(record).filter((key) => !known.includes(key));
      if (keys.length === 0) continue;
      for (const key of new Set(keys)) {
        const place = placeOf(index, key);
        this.#newKeys ??= new Map();
        const ids = update(this.#newKeys.get(place) ?? []);
        if (ids.length > 0) this.#newKeys.set(place, ids);
        else this.#newKeys.delete(place);
      }
    }
  }
}

/** A frozen record with other members. */
function amend<T>(record: T, members: Partial<T>): T {
  return Object.freeze({ ...record, ...deepFreeze(members) });
}

function placeOf(index: string, key: string): string {
  return `${index}\u0000${key}`;
}

function isPresent<Value>(value: Value | null | undefined): value is Value {
  return value != null;
}
