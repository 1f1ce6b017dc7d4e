import type { RequestHandler } from 'express';
import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import type { OperationId, OperationInput } from '../../billing/operation.js';
import { answer } from '../../billing/operations/index.js';
import { ProblemError } from '../../errors/problems.js';
import { exchangeOf } from './exchange.js';
import { injectFault } from './inject-faults.js';
import { nameDecisions } from './rested-on.js';

/** Calls the operation and sends its body: the only place from which a success leaves. */
export const dispatch: RequestHandler = (request, response, next) => {
  const { route, account, generation, decisions, noted, restedOn } = exchangeOf(response);
  if (!route || !account || !decisions) return next();
  if (account.generation !== generation) throw outlived();
  // What the document's types promise of the input, the validator has checked.
  const input = { path: pathParametersOf(request), query: request.query, body: request.body };
  const body = answer(
    route.operationId as OperationId,
    { account: account.store, now: account.clock.now(), decisions },
    input as unknown as OperationInput<OperationId>,
  );
  const status = route.successStatus;
  // The document in force has read it, once for all answers.
  restedOn?.add('success-status');
  nameDecisions(response);
  injectFault('after', response, {
    status,
    body,
    goOn() {
      if (noted) noted.status = status;
      response.status(status).json(body);
    },
  });
};

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
