import type { DecisionId, Decisions, DecisionValue } from './ledger.js';

/** The decisions in force for one request, and which of them its response depends on. */
export class AppliedDecisions {
  /** The value of every decision. */
  readonly inForce: Decisions;
  readonly #applied: DecisionId[] = [];

  constructor(inForce: Decisions) {
    this.inForce = inForce;
  }

  /** The value of a decision, which is noted as one that the response depends on. */
  apply<Id extends DecisionId>(id: Id): DecisionValue<Id> {
    if (!this.#applied.includes(id)) this.#applied.push(id);
    return this.inForce[id] as DecisionValue<Id>;
  }

  /** The decisions applied until now, each once, in the order of their first use. */
  get applied(): readonly DecisionId[] {
    return this.#applied;
  }
}
