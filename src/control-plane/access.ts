import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { Account } from '../accounts/account.js';
import type { Accounts } from '../accounts/accounts.js';
import { ProblemError } from '../errors/problem-error.js';
import { preflightMethod } from '../service/arrive.js';
import type { Exchange, Step } from '../service/exchange.js';
import { authenticate, tokenError, tokenIn, tokenOf } from '../service/identify.js';
import { isLoopback, isOrigin } from '../service/origins.js';
import { cut } from '../values/received-value.js';
import { SERVER_OPERATIONS, type ServerOperation } from './operations/on-server.js';

/** Who may call the control plane. */
export interface AccessRules {
  /** The required value of `X-Control-Token`; none is required if it is left out. */
  readonly controlToken?: string | undefined;
  /** True to require the token, if there is one, of other machines only. */
  readonly trustsLoopback: boolean;
  /** Host names under which it may be called, in addition to the loopback ones. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call it, in addition to its own. */
  readonly allowedOrigins: readonly string[];
  /** True where only the page that the mock runs in reaches it. */
  readonly isOfPage?: boolean;
}

/**
 * Refuses what a test would not send: a wrong control token; if none is required, a call from another
 * machine, a foreign Host (DNS rebinding) and a foreign Origin (a page that posts to localhost).
 */
export function checkAccess(rules: AccessRules): Step {
  const { controlToken, trustsLoopback, allowedOrigins } = rules;
  const allowedHosts = rules.allowedHosts.map((host) => host.toLowerCase());
  return (exchange) => {
    if (rules.isOfPage) return;
    if (controlToken === undefined || (trustsLoopback && isWithoutTokenFromHere(exchange))) {
      refuseForeignAddress(exchange);
      refuseForeignHost(exchange, allowedHosts);
      refuseForeignOrigin(exchange, allowedOrigins);
    } else if (isPreflight(exchange)) refuseForeignOrigin(exchange, allowedOrigins);
    else refuseWrongControlToken(exchange, controlToken);
  };
}

function isWithoutTokenFromHere({ fields, request }: Exchange): boolean {
  return fields['x-control-token'] === undefined && isLoopback(request.caller.address ?? '');
}

function refuseWrongControlToken({ fields, platform }: Exchange, controlToken: string): void {
  const received = fields['x-control-token'];
  if (received !== undefined && platform.isSameSecret(received, controlToken)) return;
  const was =
    received === undefined ? 'No X-Control-Token was received' : 'The X-Control-Token is wrong';
  throw refusal(
    `${was}; expected the control token of this mock: the value of --control-token, or the token printed at the start.`,
  );
}

/** Whoever sends a request chooses its Host; the address it comes from they do not. */
function refuseForeignAddress({ request: { caller } }: Exchange): void {
  const { address } = caller;
  if (address !== undefined && isLoopback(address)) return;
  const from =
    address === undefined ? 'a connection without an address' : `the address '${address}'`;
  throw refusal(
    `The request comes from ${from}; expected a loopback address such as 127.0.0.1, because the control plane has no token. Start the mock with --control-token (controlToken in the library), and send the token in X-Control-Token.`,
  );
}

function refuseForeignHost({ fields }: Exchange, allowedHosts: readonly string[]): void {
  const { host = '' } = fields;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (isLoopback(name) || allowedHosts.includes(name)) return;
  throw refusal(
    `The request has the Host '${host}'; expected ${['localhost', ...allowedHosts].join(', ')}. Allow the name with --allowed-host.`,
  );
}

/** Whether a browser asks what a page may send; it sends no token with that. */
function isPreflight(exchange: Exchange): boolean {
  return preflightMethod(exchange) !== undefined && exchange.fields.origin !== undefined;
}

function refuseForeignOrigin(exchange: Exchange, allowedOrigins: readonly string[]): void {
  const { origin, host } = exchange.fields;
  const scheme = exchange.request.caller.isEncrypted ? 'https' : 'http';
  if (origin === undefined || origin === `${scheme}://${host}`) return;
  if (allowedOrigins.includes(origin)) return;
  const fix = isOrigin(origin)
    ? `Allow it with --allowed-origin ${origin} (allowedOrigins in the library).`
    : 'Such a page cannot be allowed: serve it over HTTP or HTTPS.';
  throw refusal(
    `The request comes from a page at '${cut(origin)}'; expected no Origin or an allowed one. ${fix}`,
  );
}

function refusal(detail: string): ProblemError {
  return new ProblemError('forbidden', detail);
}

type Parameter = OpenAPIV3.ParameterObject & { readonly schema: OpenAPIV3.SchemaObject };

/**
 * Finds the account that `X-Account-Id` or else the bearer token names; only the latter opens one. The
 * operations on the server as a whole, on its journal and stubs, and on all accounts need none.
 */
export function selectAccount(accounts: Accounts): Step {
  // As in the library: a test opens an account whatever `unknown-token` says.
  const byToken = authenticate({ admit: accounts.open });
  return (exchange) => {
    if (isOfServer(exchange) || serverOperationOf(exchange)) return;
    const named = findByHeader(exchange, accounts);
    if (!named) {
      if (tokenIn(exchange.fields) === undefined) throw unnamed(exchange);
      return byToken(exchange);
    }
    const [token, account] = named;
    Object.assign(exchange, { token, account, generation: account.generation });
  };
}

function isOfServer({ query }: Exchange): boolean {
  const parameters = new URLSearchParams(query);
  return ['of', 'for'].some((name) => ['server', 'all'].includes(parameters.get(name) ?? ''));
}

/** The operation on the server as a whole that the request calls, if it does. */
export function serverOperationOf({ route }: Exchange): ServerOperation | undefined {
  // The judge checks what the document's types promise of the query of each operationId.
  const operations = SERVER_OPERATIONS as Readonly<Record<string, ServerOperation>>;
  return operations[route?.operationId ?? ''];
}

/** The token of the account that the request names, which need not be open if it is named by that. */
export function tokenNamed(exchange: Exchange, accounts: Accounts): string {
  const [token = tokenIn(exchange.fields)] = findByHeader(exchange, accounts) ?? [];
  if (token === undefined) throw unnamed(exchange);
  return token;
}

/** The refusal of a request that names no account, with every way in which it can. */
function unnamed({ fields, route }: Exchange): ProblemError {
  const parameters = (route?.operation.parameters ?? []) as Parameter[];
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

/** The account that `X-Account-Id` names, if the request has that. */
function findByHeader(
  { fields }: Exchange,
  accounts: Accounts,
): readonly [token: string, account: Account] | undefined {
  const { 'x-account-id': id, authorization } = fields;
  if (id === undefined) return undefined;
  // Node joins them, as RFC 9110 has it.
  const count = id.split(',').length;
  if (count > 1) {
    throw new ProblemError(
      'malformed-http',
      `The request has ${count} values of X-Account-Id; expected at most 1. Send the header once.`,
    );
  }
  const found = accounts.findById(id);
  if (!found) {
    throw new ProblemError(
      'unknown-identifier',
      `No open account has the X-Account-Id '${cut(id)}'; expected an id that GET /__control/accounts lists. An account gets a new id each time it is opened.`,
    );
  }
  if (authorization !== undefined && tokenOf(fields) !== found[0]) {
    throw new ProblemError(
      'invalid-request',
      'X-Account-Id and the bearer token name different accounts; expected the same account in both, or only one of the headers.',
    );
  }
  return found;
}
