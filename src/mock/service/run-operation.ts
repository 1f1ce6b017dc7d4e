import { varyFields } from '../../core/billing/fields-by-decision.js';
import type { Operation, OperationId, OperationInput } from '../../core/billing/operation.js';
import { OPERATIONS } from '../../core/billing/operation-table.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import { requireParts, type Step } from './exchange.js';

export const runOperation: Step = (exchange) => {
  if (!exchange.route) return;
  const { route, account, decisions, input, noted } = requireParts(
    exchange,
    'route',
    'account',
    'decisions',
    'input',
    'noted',
  );
  if (account.generation !== exchange.generation) throw outlived();
  const operation = OPERATIONS[route.operationId as OperationId] as Operation<OperationId>;
  // The judge has checked the input against the document, added its defaults, and converted
  // parameters: from here on `limit` is a number.
  const { result, undo } = account.store.recording(() =>
    operation.run(
      { account, now: account.clock.now(), decisions },
      input as unknown as OperationInput<OperationId>,
    ),
  );
  if (undo) account.journal.noteUndo(noted, undo);
  const varied = varyFields(result, decisions);
  // This decision acts through the document, which lists one success for each operation.
  decisions.apply('success-status');
  exchange.result = { status: route.successStatus, body: varied };
};

/** A request that waited for a fault or its body must not change what a test has reset meanwhile. */
function outlived(): ProblemError {
  return new ProblemError(
    'conflict',
    'The account was reset, restored, rewound, closed or given a scenario while this request was under way, so the operation did not run; expected an unchanged account. Send the request again, or wait for its response before you reset the account.',
  );
}
