import type { DecisionsBehindResponse } from '../../decisions/decisions-behind-response.js';
import type { DecisionValue } from '../../decisions/ledger.js';
import { ProblemError } from '../../errors/problem-error.js';
import type { ProblemName } from '../../errors/problem-types.js';
import { cut } from '../../values/received-value.js';
import { deletionStamps } from '../deletion-stamps.js';
import { type Operation, unknownId } from '../operation.js';

/** Soft-deletes a contract and returns it with `deletedAt` (sections 3 and 4.1). */
export const deleteContract: Operation<'deleteContract'> = {
  run(context, { path }) {
    const { store } = context.account;
    const { contracts } = store;
    const contract = contracts.get(path.contractId);
    if (contract === undefined) {
      const what = `contract with the id '${cut(path.contractId)}'`;
      throw unknownId(what, store, 'contracts', path.contractId);
    }
    if (!contract.deletedAt) {
      return { contract: contracts.softDelete(contract, deletionStamps(context)) };
    }
    const problem = repeatedDelete(context.decisions);
    if (problem === undefined) return { contract };
    throw new ProblemError(
      problem,
      `The contract '${contract.id}' was already deleted, at ${contract.deletedAt}; expected one that is not deleted. If this repeats a request whose response was lost, that request succeeded.`,
      { decision: 'repeat-delete' },
    );
  },
  refusals: (decisions) => ['unknown-identifier', repeatedDelete(decisions)],
};

function repeatedDelete(decisions: DecisionsBehindResponse): ProblemName | undefined {
  return REPEAT_DELETE[decisions.apply('repeat-delete')];
}

const REPEAT_DELETE: Record<DecisionValue<'repeat-delete'>, ProblemName | undefined> = {
  'not-found': 'unknown-identifier',
  'same-result': undefined,
  gone: 'deleted-before',
  conflict: 'delete-conflict',
};
