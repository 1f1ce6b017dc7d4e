import { UnknownIdError } from '../../errors/unknown-id.js';
import type { ControlOperations } from './control-operation.js';

/** The faults of the account. */
export const FAULT_OPERATIONS = {
  listFaults: ({ account }) => ({ faults: account.faults.list() }),
  addFault: ({ account }, { body }) => account.faults.add(body),
  clearFaults: ({ account }) => ({ count: account.faults.clear() }),
  removeFault({ account }, { path: { faultId } }) {
    const fault = account.faults.remove(faultId);
    if (fault) return fault;
    throw new UnknownIdError(
      `The account has no fault '${faultId}'; expected the id of one that it lists.`,
    );
  },
} satisfies Partial<ControlOperations>;
