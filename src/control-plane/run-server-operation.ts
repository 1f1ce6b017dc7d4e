import type { RequestHandler, Response } from 'express';
import type { Accounts } from '../accounts/accounts.js';
import { createStep, exchangeOf } from '../http/pipeline/exchange.js';
import { SERVER_OPERATIONS, type ServerOperation } from './operations/server.js';
import { tokenNamed } from './select-account.js';

/** Runs an operation on the server as a whole; passes on requests for any other. */
export function runServerOperation(accounts: Accounts): RequestHandler {
  return createStep(['validation'], ({ validation }, request, response, next) => {
    const operation = serverOperationOf(response);
    if (!operation) return next();
    const token = () => tokenNamed(request, response, accounts);
    const body = operation(accounts, { query: request.query, token });
    validation.checkAnswer(body);
    response.json(body);
  });
}

/**
 * Skips a step for operations on the server as a whole, on its journal and its stubs, and on all
 * accounts: they need no account.
 */
export function unlessOnServer(handle: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { of, for: owner } = request.query;
    const isOfServer = [of, owner].some((one) => one === 'server' || one === 'all');
    if (isOfServer || serverOperationOf(response)) next();
    else handle(request, response, next);
  };
}

function serverOperationOf(response: Response): ServerOperation | undefined {
  // The validator checks what the document's types promise of the query of each operationId.
  const operations = SERVER_OPERATIONS as Readonly<Record<string, ServerOperation>>;
  return operations[exchangeOf(response).route?.operationId ?? ''];
}
