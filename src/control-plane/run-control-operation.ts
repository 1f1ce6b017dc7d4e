import type { RequestHandler } from 'express';
import { createStep, withParts } from '../http/pipeline/exchange.js';
import { pathParametersOf } from '../http/pipeline/run-operation.js';
import { collectionOf } from './document.js';
import type {
  ControlContext,
  ControlInput,
  ControlOperation,
  ControlOperationId,
} from './operations/control-operation.js';
import { CONTROL_OPERATIONS } from './operations/index.js';
import { JsonPieces } from './send-json-pieces.js';

/** Runs an operation on an account and sends its answer. */
export function runControlOperation(parts: Omit<ControlContext, 'account'>): RequestHandler {
  const needed = ['route', 'validation'] as const;
  return createStep(needed, async (exchange, request, response) => {
    const { route, validation } = exchange;
    // The validator has checked what the document's types promise of the input of this operationId.
    const operation = CONTROL_OPERATIONS[route.operationId as ControlOperationId] as
      | ControlOperation
      | undefined;
    if (!operation) throw new Error(`No code answers '${route.operationId}'.`);
    const path = { ...pathParametersOf(request), collection: collectionOf(route.operation) };
    const input = { path, query: request.query, body: request.body };
    const context: ControlContext = {
      ...parts,
      // An operation on the journal or the stubs of the server reads none.
      get account() {
        return withParts(exchange, ['account']).account;
      },
    };
    const body = await operation(context, input as unknown as ControlInput);
    response.status(route.successStatus);
    if (body instanceof JsonPieces) return body.send(response);
    validation.checkAnswer(body);
    response.json(body);
  });
}
