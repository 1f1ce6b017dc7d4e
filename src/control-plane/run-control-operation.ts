import type { RequestHandler } from 'express';
import { createStep } from '../http/pipeline/exchange.js';
import { pathParametersOf } from '../http/pipeline/run-operation.js';
import type {
  ControlContext,
  ControlInput,
  ControlOperation,
  ControlOperationId,
} from './operations/control-operation.js';
import { CONTROL_OPERATIONS } from './operations/index.js';
import { JsonPieces, sendJsonPieces } from './send-json-pieces.js';

/** Runs an operation on an account and sends its answer. */
export function runControlOperation(
  parts: Omit<ControlContext, 'account' | 'token'>,
): RequestHandler {
  const needed = ['route', 'account', 'token', 'validation'] as const;
  return createStep(needed, async ({ route, account, token, validation }, request, response) => {
    // The validator has checked what the document's types promise of the input of this operationId.
    const operation = CONTROL_OPERATIONS[route.operationId as ControlOperationId] as
      | ControlOperation
      | undefined;
    if (!operation) throw new Error(`No code answers '${route.operationId}'.`);
    const input = { path: pathParametersOf(request), query: request.query, body: request.body };
    const body = await operation({ ...parts, account, token }, input as unknown as ControlInput);
    response.status(route.successStatus);
    if (body instanceof JsonPieces) return sendJsonPieces(response, body);
    validation.checkAnswer(body);
    response.json(body);
  });
}
