import type { AccountStore } from '../../core/billing/account-store.js';
import type { DecisionChanges } from '../../core/decisions/decision-changes.js';
import { type FidelityRow, fidelityOf } from '../../core/decisions/fidelity.js';
import type { Decisions } from '../../core/decisions/ledger.js';
import { type DecisionState, switchDecisions } from '../../core/decisions/switch-decisions.js';
import { wrongChanges } from '../../core/decisions/wrong-decisions.js';
import { firstMistakes } from '../../core/errors/first-mistakes.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { Kept } from '../../core/store/kept.js';
import { isObject } from '../../core/values/json-value.js';

/**
 * The decisions of one account, for a test to switch.
 *
 * @example
 * account.decisions.change({ 'repeat-delete': 'gone' });
 */
export interface DecisionsControl {
  /** The value of every decision. */
  readonly inForce: Decisions;
  /** Switches the given decisions. Refuses unknown ids or values, and server-wide decisions. */
  change(changes: DecisionChanges): void;
  /** What each behaviour of the mock is based on, under the decisions in force. */
  fidelity(): readonly FidelityRow[];
}

/** The decisions of one account: those of the server until a test or scenario switches them. */
export class AccountDecisions extends Kept<DecisionState> implements DecisionsControl {
  readonly #store: Pick<AccountStore, 'bases'>;

  constructor(state: DecisionState, store: Pick<AccountStore, 'bases'>) {
    super(state);
    this.#store = store;
  }

  get inForce(): Decisions {
    return this.state.inForce;
  }

  change(changes: DecisionChanges): void {
    if (!isObject(changes)) {
      throw new InvalidInputError(
        'decisions',
        'an object such as { "repeat-delete": "gone" }',
        changes,
      );
    }
    const given = Object.fromEntries(
      Object.entries(changes).filter(([, change]) => change !== undefined),
    );
    const mistakes = firstMistakes(wrongChanges(given, 'account'));
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
    this.keep(switchDecisions(this.state, given));
  }

  fidelity(): readonly FidelityRow[] {
    return fidelityOf(this.state, this.#store.bases.keepsUndocumented);
  }
}
