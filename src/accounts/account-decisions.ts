import type { Decisions } from '../decisions/ledger.js';
import { switchDecisions } from '../decisions/switch-decisions.js';
import { InvalidInputError } from '../errors/invalid-input.js';

/**
 * The decisions of one account, as a test switches them.
 *
 * @example
 * account.decisions.change({ 'repeat-delete': 'gone' });
 */
export interface DecisionsControl {
  /** The value of every decision. */
  readonly inForce: Decisions;
  /** Switches the given decisions. Refuses an unknown id or value, and decisions of the whole server. */
  change(changes: Partial<Decisions>): void;
}

/** The decisions of one account: the server's until they are switched. */
export class AccountDecisions implements DecisionsControl {
  #inForce: Decisions;

  constructor(inForce: Decisions) {
    this.#inForce = inForce;
  }

  get inForce(): Decisions {
    return this.#inForce;
  }

  change(changes: Partial<Decisions>): void {
    if (typeof changes !== 'object' || changes === null) {
      throw new InvalidInputError(
        'decisions',
        'an object such as { "repeat-delete": "gone" }',
        changes,
      );
    }
    const { decisions, mistakes } = switchDecisions(this.#inForce, changes, 'account');
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
    this.#inForce = decisions;
  }

  snapshot(): Decisions {
    return this.#inForce;
  }

  restore(saved: Decisions): void {
    this.#inForce = saved;
  }
}
