import { countUpTo, inOrder, type Order } from './order.js';

/** So many changes between two readings are put in their places; to sort anew takes less than more. */
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

  /** Notes that somebody reads this: it is worth its upkeep. */
  use(): this {
    this.#edits = 0;
    return this;
  }

  /** Follows a change; says whether that is worth it. */
  follow(before: T | undefined, after: T | undefined, hidden: T | undefined): boolean {
    this.#edits += 1;
    if (this.#edits > MOST_EDITS) return false;
    if (before) this.#added.splice(this.#countUpTo(this.#added, before) - 1, 1);
    if (after) this.#added.splice(this.#countUpTo(this.#added, after), 0, after);
    if (hidden) this.#hidden.splice(this.#countUpTo(this.#hidden, hidden), 0, hidden);
    return true;
  }

  #countUpTo(sorted: readonly T[], record: T): number {
    const { positionOf } = this.#order;
    return countUpTo(sorted.length, (at) => positionOf(sorted[at] as T), positionOf(record));
  }
}
