import type { Request, RequestHandler, Response } from 'express';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { Account } from '../accounts/account.js';
import type { Accounts } from '../accounts/accounts.js';
import { ProblemError } from '../errors/problem-error.js';
import { authenticate, tokenError, tokenIn, tokenOf } from '../http/pipeline/authenticate.js';
import { exchangeOf } from '../http/pipeline/exchange.js';
import { cut } from '../messages/received-value.js';

type Parameter = OpenAPIV3.ParameterObject & { readonly schema: OpenAPIV3.SchemaObject };

/** Finds the account that `X-Account-Id` or else the bearer token names; only the latter opens one. */
export function selectAccount(accounts: Accounts): RequestHandler {
  // As in the library: a test opens an account whatever `unknown-token` says.
  const byToken = authenticate({ admit: accounts.open });
  return (request, response, next) => {
    const named = findByHeader(request, accounts);
    if (!named) {
      if (tokenIn(request) === undefined) throw unnamed(request, response);
      return byToken(request, response, next);
    }
    const [token, account] = named;
    Object.assign(exchangeOf(response), { token, account, generation: account.generation });
    next();
  };
}

/** The token of the account that the request names, which need not be open if it is named by that. */
export function tokenNamed(request: Request, response: Response, accounts: Accounts): string {
  const [token = tokenIn(request)] = findByHeader(request, accounts) ?? [];
  if (token === undefined) throw unnamed(request, response);
  return token;
}

/** The refusal of a request that names no account, with every way in which it can. */
function unnamed(request: Request, response: Response): ProblemError {
  const parameters = (exchangeOf(response).route?.operation.parameters ?? []) as Parameter[];
  const others = parameters
    .filter(({ name }) => name === 'of' || name === 'for')
    .flatMap(({ name, schema }) =>
      (schema.enum ?? []).filter((one) => one !== 'account').map((one) => `${name}=${one}`),
    );
  const verb = others.length > 1 ? 'need' : 'needs';
  const withoutOne =
    others.length > 0 ? `, or add ${others.join(' or ')}, which ${verb} neither` : '';
  const { message, ground } = tokenError(request);
  return new ProblemError(
    'unauthorized',
    `${message.replace(/\.$/, '')}, or name an open account with X-Account-Id: GET /__control/accounts lists their ids${withoutOne}.`,
    ground,
  );
}

/** The account that `X-Account-Id` names, if the request has that. */
function findByHeader(
  request: Request,
  accounts: Accounts,
): readonly [token: string, account: Account] | undefined {
  const { 'x-account-id': id, authorization } = request.headers;
  if (id === undefined) return undefined;
  // Node joins them, as RFC 9110 has it.
  const count = String(id).split(',').length;
  if (count > 1) {
    throw new ProblemError(
      'malformed-http',
      `The request has ${count} values of X-Account-Id; expected at most 1. Send the header once.`,
    );
  }
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
