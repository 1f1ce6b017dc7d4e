import type { DecisionId, Decisions, DecisionValue } from './ledger.js';

/** The decisions in force for one request, and which of them its response depends on. */
export class DecisionsBehindResponse {
  readonly inForce: Decisions;
  readonly #applied: DecisionId[] = [];

  constructor(inForce: Decisions) {
    this.inForce = inForce;
  }

  /** Returns the value of a decision, and notes that the response depends on it. */
  apply<Id extends DecisionId>(id: Id): DecisionValue<Id> {
    if (!this.#applied.includes(id)) this.#applied.push(id);
    return this.inForce[id] as DecisionValue<Id>;
  }

  /** The decisions applied so far, without duplicates, in order of first use. */
  get applied(): readonly DecisionId[] {
    return this.#applied;
  }
}
