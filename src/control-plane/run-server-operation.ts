import type { RequestHandler } from 'express';
import type { Accounts } from '../accounts/accounts.js';
import { createStep } from '../http/pipeline/exchange.js';
import {
  SERVER_OPERATIONS,
  type ServerOperation,
  type ServerOperationId,
} from './operations/server.js';

/** Runs an operation on the server as a whole; passes on requests for any other. */
export function runServerOperation(accounts: Accounts): RequestHandler {
  const needed = ['route', 'validation'] as const;
  return createStep(needed, ({ route, validation }, request, response, next) => {
    const { operationId } = route;
    if (!isServerOperation(operationId)) return next();
    // The validator has checked what the document's types promise of the query of this operationId.
    const operation = SERVER_OPERATIONS[operationId] as ServerOperation;
    const body = operation(accounts, request.query);
    validation.checkAnswer(body);
    response.json(body);
  });
}

/** Whether an operation is on the server as a whole, which needs no account. */
export function isServerOperation(operationId = ''): operationId is ServerOperationId {
  return Object.hasOwn(SERVER_OPERATIONS, operationId);
}
