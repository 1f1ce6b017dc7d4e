import type { Request, RequestHandler } from 'express';
import type { Account } from '../accounts/account.js';
import type { Accounts } from '../accounts/accounts.js';
import { ProblemError } from '../errors/problem-error.js';
import { authenticate, tokenOf } from '../http/pipeline/authenticate.js';
import { exchangeOf } from '../http/pipeline/exchange.js';
import { cut } from '../messages/received-value.js';

/** Finds the account that `X-Account-Id` or else the bearer token names; only the latter opens one. */
export function selectAccount(accounts: Accounts): RequestHandler {
  // As in the library: a test opens an account whatever `unknown-token` says.
  const byToken = authenticate({ admit: accounts.open });
  return (request, response, next) => {
    const named = findByHeader(request, accounts);
    if (!named) return byToken(request, response, next);
    const [token, account] = named;
    Object.assign(exchangeOf(response), { token, account, generation: account.generation });
    next();
  };
}

/** The token of the account that the request names, which need not be open if it is named by that. */
export function tokenNamed(request: Request, accounts: Accounts): string {
  const [token] = findByHeader(request, accounts) ?? [tokenOf(request)];
  return token;
}

/** The account that `X-Account-Id` names, if the request has that. */
function findByHeader(
  request: Request,
  accounts: Accounts,
): readonly [token: string, account: Account] | undefined {
  const { 'x-account-id': id, authorization } = request.headers;
  if (id === undefined) return undefined;
  const found = accounts.findById(String(id));
  if (!found) {
    throw new ProblemError(
      'unknown-identifier',
      `No open account has the X-Account-Id '${cut(String(id))}'; expected an id that GET /__control/accounts lists. An account has a new one each time it is opened.`,
    );
  }
  if (authorization !== undefined && tokenOf(request) !== found[0]) {
    throw new ProblemError(
      'invalid-request',
      'X-Account-Id and the bearer token name different accounts; expected one of the two, or both of the same account.',
    );
  }
  return found;
}
