import type { Request, RequestHandler, Response } from 'express';
import type { Accounts } from '../accounts/accounts.js';
import { ProblemError } from '../errors/problem-error.js';
import { authenticate, tokenOf } from '../http/pipeline/authenticate.js';
import { exchangeOf } from '../http/pipeline/exchange.js';
import { cut } from '../messages/received-value.js';
import { isServerOperation } from './run-server-operation.js';
import { STREAM } from './stream-requests.js';

/** Finds the account that `X-Account-Id` or else the bearer token names; only the latter opens one. */
export function selectAccount(accounts: Accounts): RequestHandler {
  const byToken = authenticate(accounts);
  return (request, response, next) => {
    if (!needsAccount(request, response)) return next();
    const id = request.headers['x-account-id'];
    if (id === undefined) return byToken(request, response, next);
    const [token, account] = accounts.findById(String(id)) ?? refuseUnknownId(String(id));
    if (request.headers.authorization !== undefined) refuseOtherToken(request, token);
    Object.assign(exchangeOf(response), { token, account, generation: account.generation });
    next();
  };
}

/** Whether the operation acts on one account. */
function needsAccount({ query }: Request, response: Response): boolean {
  const isOfOthers = query.of === 'all' || query.of === 'server';
  const { operationId } = exchangeOf(response).route ?? {};
  return !(isServerOperation(operationId) || (operationId === STREAM && isOfOthers));
}

function refuseUnknownId(id: string): never {
  throw new ProblemError(
    'unknown-identifier',
    `No open account has the X-Account-Id '${cut(id)}'; expected an id that GET /__control/accounts lists. An account has a new one each time it is opened.`,
  );
}

function refuseOtherToken(request: Request, token: string): void {
  if (tokenOf(request) === token) return;
  throw new ProblemError(
    'invalid-request',
    'X-Account-Id and the bearer token name different accounts; expected one of the two, or both of the same account.',
  );
}
