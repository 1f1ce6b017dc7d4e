import { growthOf } from './bytes-of.js';

/** What bounds the bytes that are kept together; whoever builds what keeps something gives it. */
export interface Budget {
  /** Counts bytes that were added, or removed if negative. */
  add(bytes: number): void;
  /**
   * Throws if so many more bytes are not allowed; `what` says what they are for. With `isSpare`, they
   * take only room that nothing else has.
   */
  admit(bytes: number, what: string, isSpare?: boolean): void;
}

/**
 * What keeps one state, which nothing changes: it can only be replaced, and the budget is charged by how
 * much the new one takes more. Every part of an account is one.
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

  /** Replaces the state. With `what`, a state that takes more than the budget admits is refused. */
  protected keep(state: State, what?: string): void {
    const growth = growthOf(this.#state, state);
    if (what !== undefined) this.#budget?.admit(growth, what);
    this.#budget?.add(growth);
    this.#bytes += growth;
    this.#state = state;
  }

  /** The state, safe against later changes. */
  snapshot(): State {
    return this.#state;
  }

  /** Goes back to a state, whatever the budget admits. */
  restore(saved: State): void {
    this.keep(saved);
  }

  /** Charges nothing any more: its owner is closed. */
  end(): void {
    this.#budget?.add(-this.#bytes);
    this.#budget = undefined;
  }
}
