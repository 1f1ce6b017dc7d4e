import type { Base } from './base.js';
import { inOrder, type Order } from './order.js';

/** What an account changed: a record that stands over the base's, or `null` for one removed. */
export type Changes<T> = ReadonlyMap<string, T | null>;

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
  readonly #records = new Map<string, T | null>();
  /** Index and key -> ids of changed records that bear a key which the base's record does not. */
  #newKeys: Map<string, readonly string[]> | undefined;
  /** The changes in each order; forgotten when a change comes. */
  #sorted: Map<string, SortedChanges<T>> | undefined;

  constructor(base: Base<T>) {
    this.#base = base;
  }

  /** The changes themselves. */
  get records(): Changes<T> {
    return this.#records;
  }

  /** Notes that the record stands under the id from now on; none does if it is `null`. */
  set(id: string, record: T | null): void {
    const before = this.#records.get(id);
    const unchanged = this.#base.get(id);
    if (before) this.#index(before, unchanged, (ids) => ids.filter((other) => other !== id));
    if (record) this.#index(record, unchanged, (ids) => [...ids, id]);
    if (record === null && unchanged === undefined) this.#records.delete(id);
    else this.#records.set(id, record);
    this.#sorted = undefined;
  }

  /** What the account has in the place of a record of the base. */
  insteadOf(unchanged: T): T | null {
    const changed = this.#records.get(unchanged.id);
    return changed === undefined ? unchanged : changed;
  }

  /** The changed records that bear a key in an index which the base's record does not bear. */
  bearing(index: string, key: string): readonly T[] {
    const ids = this.#newKeys?.get(placeOf(index, key)) ?? [];
    return ids.map((id) => this.#records.get(id)).filter(isPresent);
  }

  /** The changes in the order. */
  in(order: Order<T>): SortedChanges<T> {
    this.#sorted ??= new Map();
    const known = this.#sorted.get(order.name) ?? {
      added: inOrder([...this.#records.values()].filter(isPresent), order),
      hidden: inOrder(
        [...this.#records.keys()].map((id) => this.#base.get(id)).filter(isPresent),
        order,
      ),
    };
    this.#sorted.set(order.name, known);
    return known;
  }

  /** Updates the ids under every key that the record bears and the base's does not. */
  #index(
    record: T,
    unchanged: T | undefined,
    update: (ids: readonly string[]) => readonly string[],
  ): void {
    for (const [index, keysOf] of Object.entries(this.#base.indexes)) {
      const known = unchanged ? keysOf(unchanged) : [];
      for (const key of new Set(keysOf(record))) {
        if (known.includes(key)) continue;
        const place = placeOf(index, key);
        this.#newKeys ??= new Map();
        const ids = update(this.#newKeys.get(place) ?? []);
        if (ids.length > 0) this.#newKeys.set(place, ids);
        else this.#newKeys.delete(place);
      }
    }
  }
}

function placeOf(index: string, key: string): string {
  return `${index}\u0000${key}`;
}

function isPresent<Value>(value: Value | null | undefined): value is Value {
  return value != null;
}
