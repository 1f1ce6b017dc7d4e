import type { RequestHandler } from 'express';
import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import type { Operation, OperationId, OperationInput } from '../billing/operation.js';
import { OPERATIONS } from '../billing/operations/index.js';
import { exchangeOf } from './exchange.js';

/** Calls the operation and sends its body: the only place from which a success leaves. */
export const dispatch: RequestHandler = (request, response, next) => {
  const { route, account } = exchangeOf(response);
  if (!route || !account) return next();
  // What the document's types promise of the input, the validator has checked.
  const operation = OPERATIONS[route.operationId] as Operation<OperationId>;
  const { openapi } = request as OpenApiRequest;
  const path = openapi && 'pathParams' in openapi ? openapi.pathParams : {};
  const input = { path, query: request.query, body: request.body };
  const body = operation(
    { account: account.store, now: account.clock.now(), decisions: account.decisions },
    input as unknown as OperationInput<OperationId>,
  );
  response.status(route.successStatus).json(body);
};
