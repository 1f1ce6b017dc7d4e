/**
 * Keeps one immutable state, which can only be replaced. Most parts of an account are subclasses.
 */
export abstract class Kept<State> {
  readonly #initial: State;
  #state: State;

  constructor(state: State) {
    this.#initial = state;
    this.#state = state;
  }

  protected get state(): State {
    return this.#state;
  }

  protected keep(state: State): void {
    this.#state = state;
  }

  snapshot(): State {
    return this.#state;
  }

  /** Returns to a saved state. */
  restore(saved: State): void {
    this.keep(saved);
  }

  /** Returns to the state at the beginning, because its account was closed. */
  end(): void {
    this.keep(this.#initial);
  }
}
