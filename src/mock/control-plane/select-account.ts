import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import { cut } from '../../core/values/received-value.js';
import type { Account } from '../accounts/account.js';
import type { Accounts } from '../accounts/account-registry.js';
import type { ClosedAccount } from '../accounts/closed-accounts.js';
import { authenticate, tokenError, tokenIn, tokenOf } from '../service/authenticate.js';
import type { DocumentedExchange, Exchange, Step } from '../service/exchange.js';
import { calledRoute } from './control-document.js';
import { SERVER_OPERATIONS, type ServerOperation } from './operations/on-server.js';

type Parameter = OpenAPIV3.ParameterObject & { readonly schema: OpenAPIV3.SchemaObject };

/**
 * Finds the account that `X-Account-Id` or else the bearer token names; a new token opens one.
 * Skips requests about the server or all accounts, and `closeAccount`, which must not open one.
 */
export function selectAccount(accounts: Accounts): Step<DocumentedExchange> {
  // Like the library, it opens accounts whatever `unknown-token` says.
  const byToken = authenticate({ admit: (token) => accounts.open(token) });
  return (exchange) => {
    if (isOfServer(exchange) || serverOperationOf(exchange)) return;
    if (READ_AFTER_CLOSING.test(calledRoute(exchange)) && closedNamed(exchange, accounts)) return;
    const named = findByHeader(exchange, accounts);
    if (!named) {
      if (tokenIn(exchange.fields) === undefined) throw unnamed(exchange);
      return byToken(exchange);
    }
    const [token, account] = named;
    Object.assign(exchange, { token, account, generation: account.generation });
  };
}

/** The routes that read a journal, which a closed account still has. */
const READ_AFTER_CLOSING = /^(GET \/requests(?!\/stream)|POST \/requests\/count$)/;

/** The closed account whose id is in `X-Account-Id`, or else the bearer token. */
export function closedNamed({ fields }: Exchange, accounts: Accounts): ClosedAccount | undefined {
  return accounts.closed.find(fields['x-account-id'] ?? tokenIn(fields) ?? '');
}

function isOfServer({ query }: Exchange): boolean {
  const parameters = new URLSearchParams(query);
  return ['of', 'for'].some((name) => ['server', 'all'].includes(parameters.get(name) ?? ''));
}

export function serverOperationOf(exchange: DocumentedExchange): ServerOperation | undefined {
  // The judge validates the input, so it has the type that the document gives each route.
  const operations = SERVER_OPERATIONS as Readonly<Record<string, ServerOperation>>;
  return operations[calledRoute(exchange)];
}

/**
 * The token of the account that the request names. A bearer token need not belong to an open
 * account.
 */
export function tokenNamed(exchange: DocumentedExchange, accounts: Accounts): string {
  const [token = tokenIn(exchange.fields)] = findByHeader(exchange, accounts) ?? [];
  if (token === undefined) throw unnamed(exchange);
  return token;
}

/** The refusal of a request that names no account: it says how to name one, or to do without. */
function unnamed({ fields, called }: DocumentedExchange): ProblemError {
  const parameters = (called.route.operation.parameters ?? []) as Parameter[];
  const others = parameters
    .filter(({ name }) => name === 'of' || name === 'for')
    .flatMap(({ name, schema }) =>
      (schema.enum ?? []).filter((one) => one !== 'account').map((one) => `${name}=${one}`),
    );
  const verb = others.length > 1 ? 'need' : 'needs';
  const withoutOne =
    others.length > 0 ? `, or add ${others.join(' or ')}, which ${verb} neither` : '';
  const { message, ground } = tokenError(fields);
  return new ProblemError(
    'unauthorized',
    `${message.replace(/\.$/, '')}, or name an open account with X-Account-Id: GET /__control/accounts lists their ids${withoutOne}.`,
    ground,
  );
}

function findByHeader(
  { fields }: Exchange,
  accounts: Accounts,
): readonly [token: string, account: Account] | undefined {
  const { 'x-account-id': id, authorization } = fields;
  if (id === undefined) return undefined;
  // `fieldsOf` joins repeated fields with commas (RFC 9110, section 5.3).
  const count = id.split(',').length;
  if (count > 1) {
    throw new ProblemError(
      'malformed-http',
      `The request has ${count} values of X-Account-Id; expected at most 1. Send the header once.`,
    );
  }
  const found = accounts.findById(id);
  if (!found) throw notOpen(id, accounts.closed.find(id));
  if (authorization !== undefined && accounts.find(tokenOf(fields)) !== found[1]) {
    throw new ProblemError(
      'invalid-request',
      'X-Account-Id and the bearer token name different accounts; expected the same account in both, or only one of the headers.',
    );
  }
  return found;
}

function notOpen(id: string, closed: ClosedAccount | undefined): ProblemError {
  return new ProblemError(
    'unknown-identifier',
    closed
      ? `The account with the X-Account-Id '${id}' was closed at ${closed.closedAt.toISOString()}; expected an open one, as GET /__control/accounts lists them, or a call that reads its journal, such as GET /__control/requests. A call with its token opens a new account.`
      : `No account has the X-Account-Id '${cut(id)}'; expected an id that GET /__control/accounts lists. An account gets a new id each time it is opened.`,
  );
}
