import type { Indexes } from './index-rows.js';

/** An index of changed records: the keys that they have and the base's records do not. */
export class IndexedChanges<T extends { readonly id: string }> {
  readonly #indexes: readonly [index: string, keysOf: Indexes<T>[string]][];
  /** One id, or those that share the key in the order in which they got it. */
  readonly #ids = new Map<string, string | Set<string>>();

  constructor(indexes: Indexes<T>) {
    this.#indexes = Object.entries(indexes);
  }

  /** The ids of the changed records that have the key in the index. */
  under(index: string, key: string): Iterable<string> {
    const ids = this.#ids.get(placeOf(index, key)) ?? [];
    return typeof ids === 'string' ? [ids] : ids;
  }

  /** Adds the keys of a changed record that the base's does not have. */
  add(record: T, unchanged: T | undefined): void {
    for (const place of this.#newPlaces(record, unchanged)) {
      const ids = this.#ids.get(place);
      if (ids === undefined) this.#ids.set(place, record.id);
      else if (typeof ids === 'string') this.#ids.set(place, new Set([ids, record.id]));
      else ids.add(record.id);
    }
  }

  /** Removes the keys of a changed record. */
  remove(record: T, unchanged: T | undefined): void {
    for (const place of this.#newPlaces(record, unchanged)) {
      const ids = this.#ids.get(place);
      if (typeof ids === 'object' && ids.size > 1) ids.delete(record.id);
      else this.#ids.delete(place);
    }
  }

  *#newPlaces(record: T, unchanged: T | undefined): Iterable<string> {
    for (const [index, keysOf] of this.#indexes) {
      const known = new Set(unchanged && keysOf(unchanged));
      for (const key of new Set(keysOf(record))) if (!known.has(key)) yield placeOf(index, key);
    }
  }
}

function placeOf(index: string, key: string): string {
  return `${index}\u0000${key}`;
}
