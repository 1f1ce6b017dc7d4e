import type { Change, Changes, Deletable } from './changes.js';

/**
 * Undoes the changes of one operation to a collection, once all later changes are undone. It stores
 * nothing for a record that was unchanged before, and a single fact if every record was removed.
 */
export class Undo<T extends Deletable> {
  /** The number from which on changes are of records that were unchanged before. */
  readonly first: number;
  /** The earlier changes of the other records. */
  readonly earlier = new Map<string, Change<T>>();
  /** All changes before all were replaced at once; later ones need no undo of their own. */
  replaced: { readonly changes: Changes<T> | undefined } | undefined;
  /** How many records it changed. */
  count = 0;

  constructor(first: number) {
    this.first = first;
  }

  note(id: string, change: Change<T> | undefined): void {
    if (this.replaced || !change || change.number >= this.first || this.earlier.has(id)) return;
    this.earlier.set(id, change);
  }

  noteReplaced(changes: Changes<T> | undefined, size: number): void {
    if (this.replaced) return;
    this.replaced = { changes };
    this.count = size;
  }

  /** Counts what was changed before a change gets the number `next`. */
  end(next: number): this {
    if (!this.replaced) this.count = this.earlier.size + next - this.first;
    return this;
  }
}

/** The undo of several operations as one; the latest comes first. */
export function joinUndos<T extends Deletable>(undos: readonly Undo<T>[]): Undo<T> {
  const joined = new Undo<T>(undos.at(-1)?.first ?? 0);
  for (const { replaced, earlier } of undos) {
    if (replaced) {
      joined.earlier.clear();
      joined.replaced = replaced;
    }
    for (const [id, change] of earlier) joined.earlier.set(id, change);
  }
  return joined;
}
