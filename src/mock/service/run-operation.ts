import { varyFields } from '../../core/billing/fields-by-decision.js';
import type { Operation, OperationId, OperationInput } from '../../core/billing/operation.js';
import { OPERATIONS } from '../../core/billing/operation-table.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import type { OperationExchange, Step } from './exchange.js';
import { JSON_FIELDS } from './respond.js';

/** Runs the operation and validates what it returns; a mismatch with the document becomes a 500. */
export const runOperation: Step<OperationExchange> = (exchange) => {
  const { called, account, decisions, journal, noted, method } = exchange;
  const { route, input, specification } = called;
  if (account.generation !== exchange.generation) throw outlived();
  const operation = OPERATIONS[route.operationId as OperationId] as Operation<OperationId>;
  journal.noteRun(noted);
  // The judge has checked the input against the document, added its defaults, and converted
  // parameters: from here on `limit` is a number.
  const { result: body, undo } = account.store.recording(() =>
    operation.run(
      { account, now: account.clock.now(), decisions },
      input as unknown as OperationInput<OperationId>,
    ),
  );
  if (undo) journal.noteUndo(noted, undo);
  const result = varyFields(body, decisions);
  called.result = result;
  // This decision acts through the document, which lists one success for each operation.
  decisions.apply('success-status');
  specification.judge.response({ template: route.template, method }, result);
  exchange.ready = {
    status: route.successStatus,
    headers: JSON_FIELDS,
    body: JSON.stringify(result),
  };
};

/** A request that waited for a fault or its body must not change what a test has reset meanwhile. */
function outlived(): ProblemError {
  return new ProblemError(
    'conflict',
    'The account was reset, restored, rewound, closed or given a scenario while this request was under way, so the operation did not run. Send the request again. To avoid this, wait for the response before you change the account.',
  );
}
