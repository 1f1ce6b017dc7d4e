import type { RequestHandler, Response } from 'express';
import type { Accounts } from '../accounts/accounts.js';
import { tokenOf } from '../http/pipeline/authenticate.js';
import { createStep, exchangeOf } from '../http/pipeline/exchange.js';
import { SERVER_OPERATIONS, type ServerOperation } from './operations/server.js';

/** Runs an operation on the server as a whole; passes on requests for any other. */
export function runServerOperation(accounts: Accounts): RequestHandler {
  return createStep(['validation'], ({ validation }, request, response, next) => {
    const operation = serverOperationOf(response);
    if (!operation) return next();
    const body = operation(accounts, { query: request.query, token: () => tokenOf(request) });
    validation.checkAnswer(body);
    response.json(body);
  });
}

/** Skips a step for operations on the server as a whole, or on its journal and its stubs: they need no account. */
export function unlessOnServer(handle: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { of, for: owner } = request.query;
    const needsNone = serverOperationOf(response) ?? [of, owner].includes('server');
    if (needsNone) next();
    else handle(request, response, next);
  };
}

function serverOperationOf(response: Response): ServerOperation | undefined {
  const operations: Readonly<Record<string, ServerOperation>> = SERVER_OPERATIONS;
  return operations[exchangeOf(response).route?.operationId ?? ''];
}
