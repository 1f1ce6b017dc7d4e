import type { ControlOperations } from './control-operation.js';

/** The decisions of the account, and the fidelity that follows from them. */
export const DECISION_OPERATIONS = {
  getFidelity: ({ account }) => ({ behaviours: account.decisions.fidelity() }),
  getDecisions: ({ account }) => account.decisions.inForce,
  patchDecisions({ account, specificationFor }, { body }) {
    account.decisions.change(body);
    // Built now, so that decisions from which no document can be built are refused here.
    specificationFor(account.decisions.inForce);
    return account.decisions.inForce;
  },
} satisfies Partial<ControlOperations>;
