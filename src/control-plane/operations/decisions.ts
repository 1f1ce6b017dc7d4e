import { type DecisionId, LEDGER, type LedgerRow } from '../../decisions/ledger.js';
import type { ControlOperations } from './control-operation.js';

/** The decisions of the account, and the fidelity that follows from them. */
export const DECISION_OPERATIONS = {
  getFidelity: ({ account }) => ({ behaviours: account.decisions.fidelity() }),
  getLedger: ({ account }) => ({
    decisions: (Object.entries(LEDGER) as [DecisionId, LedgerRow][]).map(([id, row]) => ({
      id,
      section: row.section,
      question: row.question,
      default: row.default,
      value: account.decisions.inForce[id],
      values: valuesOf(row),
      isServerWide: row.isServerWide === true,
    })),
  }),
  getDecisions: ({ account }) => account.decisions.inForce,
  patchDecisions({ account, specificationFor }, { body }) {
    account.decisions.change(body);
    // Built now, so that decisions from which no document can be built are refused here.
    specificationFor(account.decisions.inForce);
    return account.decisions.inForce;
  },
} satisfies Partial<ControlOperations>;

/** The values of a decision; a number is a key of the table as text. */
function valuesOf(row: LedgerRow): object[] {
  return Object.entries(row.values).map(([key, meaning]) => ({
    value: typeof row.default === 'number' ? Number(key) : key,
    meaning,
  }));
}
