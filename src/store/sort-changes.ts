import { countRecordsUpTo, inOrder, type Order } from './order.js';

/** So many changes between two reads are put in their places; beyond it, sorting again is cheaper. */
const MOST_EDITS = 1_000;

/** The changes as a listing needs them, in its order. */
export class SortedChanges<T> {
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

  /** The records of the base that these replace, or that were removed. */
  get hidden(): readonly T[] {
    return this.#hidden;
  }

  /** Says that this was read, so that it is worth updating. */
  use(): this {
    this.#edits = 0;
    return this;
  }

  /** Follows a change; returns false if sorting again is cheaper. */
  follow(before: T | undefined, after: T | undefined, hidden: T | undefined): boolean {
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
