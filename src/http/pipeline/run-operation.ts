import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import type { OperationId, OperationInput } from '../../billing/operation.js';
import { answer } from '../../billing/operations/index.js';
import { ProblemError } from '../../errors/problem-error.js';
import { createStep } from './exchange.js';

/** Calls the operation; what it returns is the answer, which the steps after this one send. */
export const runOperation = createStep(
  ['route', 'account', 'generation', 'decisions', 'validation'],
  (exchange, request, _response, next) => {
    const { route, account, decisions } = exchange;
    if (account.generation !== exchange.generation) throw outlived();
    // The validator has checked what the document's types promise of the input, and has converted
    // the parameters: from here on `limit` is a number, the default of the document included.
    const input = { path: pathParametersOf(request), query: request.query, body: request.body };
    const body = answer(
      route.operationId as OperationId,
      { account, now: account.clock.now(), decisions },
      input as unknown as OperationInput<OperationId>,
    );
    // It acts through the document, which has one success for each operation.
    decisions.apply('success-status');
    exchange.answer = { status: route.successStatus, body };
    next();
  },
);

/** A request that waited, by a fault or for its body, must not act on what a test has put back. */
function outlived(): ProblemError {
  return new ProblemError(
    'conflict',
    'The account was reset, restored or closed while this request was under way, and the operation did not run; expected an account that stays. Send the request again, or wait for its answer before the reset.',
  );
}

/** The values in the path, decoded by the validator. */
export function pathParametersOf(request: object): Readonly<Record<string, string>> {
  const { openapi } = request as OpenApiRequest;
  return openapi && 'pathParams' in openapi ? openapi.pathParams : {};
}
