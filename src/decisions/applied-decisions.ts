import type { DecisionId, Decisions, DecisionValue } from './ledger.js';

/** The decisions by which one request is answered, and which of them its answer rests on. */
export class AppliedDecisions {
  /** The value of every decision. */
  readonly inForce: Decisions;
  readonly #applied = new Set<DecisionId>();

  constructor(inForce: Decisions) {
    this.inForce = inForce;
  }

  /** The value of a decision, where it makes a difference to the answer. */
  apply<Id extends DecisionId>(id: Id): DecisionValue<Id> {
    this.#applied.add(id);
    return this.inForce[id] as DecisionValue<Id>;
  }

  /** The decisions applied until now, each once, in the order in which they came. */
  get applied(): readonly DecisionId[] {
    return [...this.#applied];
  }
}
