import type { DecisionValue } from '../decisions.js';
import type { Operation } from '../operation.js';
import { ProblemError } from '../problems.js';
import type { Contract } from '../resources.js';
import { softDelete } from '../soft-delete.js';

/** Soft-deletes a contract and returns it with `deletedAt` (sections 3 and 4.1). */
export const deleteContract: Operation<'deleteContract'> = (context, { path }) => {
  const contract = context.account.contracts.get(path.contractId);
  if (contract === undefined) {
    throw new ProblemError(
      'unknown-identifier',
      `No contract of this account has the id '${path.contractId}'.`,
      { decision: 'unknown-identifier-status' },
    );
  }
  if (contract.deletedAt !== undefined) {
    return REPEAT_DELETE[context.decisions['repeat-delete']](contract);
  }
  return { contract: softDelete(context.account.contracts, contract, context) };
};

type Repeat = (contract: Contract) => { contract: Contract };

const REPEAT_DELETE: Record<DecisionValue<'repeat-delete'>, Repeat> = {
  'not-found': (contract) => refuse('unknown-identifier', contract),
  'same-result': (contract) => ({ contract }),
  gone: (contract) => refuse('deleted-before', contract),
  conflict: (contract) => refuse('delete-conflict', contract),
};

function refuse(
  problem: 'unknown-identifier' | 'deleted-before' | 'delete-conflict',
  { id, deletedAt }: Contract,
): never {
  throw new ProblemError(problem, `The contract '${id}' was deleted before, at ${deletedAt}.`, {
    decision: 'repeat-delete',
  });
}
