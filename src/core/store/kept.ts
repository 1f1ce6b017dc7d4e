import { growthOf } from './bytes-of.js';

/** Limits the bytes that several parts keep together. */
export interface Budget {
  /** Counts bytes that were added, or removed if negative. */
  add(bytes: number): void;
  /**
   * Throws if this many more bytes would exceed the limit; `what` says what they are for. With
   * `isSpare`, they may take only room that nothing else has.
   */
  admit(bytes: number, what: string, isSpare?: boolean): void;
}

/**
 * Keeps one immutable state, which can only be replaced. The budget is charged for the bytes by
 * which it grows. Most parts of an account are subclasses.
 */
export abstract class Kept<State> {
  #state: State;
  #budget: Budget | undefined;
  #bytes = 0;

  /** The initial state is shared, so it does not count against the budget. */
  constructor(state: State, budget: Budget | undefined) {
    this.#state = state;
    this.#budget = budget;
  }

  protected get state(): State {
    return this.#state;
  }

  /** Replaces the state. With `what`, throws if the budget does not admit its growth. */
  protected keep(state: State, what?: string): void {
    const growth = growthOf(this.#state, state);
    if (what !== undefined) this.#budget?.admit(growth, what);
    this.#budget?.add(growth);
    this.#bytes += growth;
    this.#state = state;
  }

  snapshot(): State {
    return this.#state;
  }

  /** Returns to a saved state, even if the budget would not admit it. */
  restore(saved: State): void {
    this.keep(saved);
  }

  /** Gives its bytes back to the budget for good, because its account was closed. */
  end(): void {
    this.#budget?.add(-this.#bytes);
    this.#budget = undefined;
  }
}
