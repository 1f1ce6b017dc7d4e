import { type Quota, weightOf } from './quota.js';

/**
 * Keeps one immutable state, which can only be replaced. Most parts of an account are subclasses.
 * With a quota, what the state has grown since the beginning counts.
 */
export abstract class Kept<State> {
  readonly #initial: State;
  #state: State;
  readonly #quota: Quota | undefined;

  constructor(state: State, quota?: Quota) {
    this.#initial = state;
    this.#state = state;
    this.#quota = quota;
  }

  protected get state(): State {
    return this.#state;
  }

  /** Replaces the state. With `what`, throws if the quota does not admit its growth. */
  protected keep(state: State, what?: string): void {
    if (this.#quota) {
      const growth = this.weigh(state) - this.weigh(this.#state);
      if (what !== undefined) this.#quota.admit(growth, what);
      this.#quota.add(growth);
    }
    this.#state = state;
  }

  protected weigh(state: State): number {
    return weightOf(state);
  }

  snapshot(): State {
    return this.#state;
  }

  /** Returns to a saved state, even if the quota would not admit it. */
  restore(saved: State): void {
    this.keep(saved);
  }

  /** Returns to the state at the beginning, because its account was closed. */
  end(): void {
    this.keep(this.#initial);
  }
}

interface Weighed {
  readonly weight: number;
}

/** Keeps a list whose entries know what they count. */
export abstract class KeptList<
  State extends { readonly entries: readonly Weighed[] },
> extends Kept<State> {
  protected override weigh({ entries }: State): number {
    return totalWeight(entries);
  }
}

export function totalWeight(kept: Iterable<Weighed>): number {
  let weight = 0;
  for (const one of kept) weight += one.weight;
  return weight;
}
