import type { Accounts } from '../accounts/accounts.js';
import { Clock } from '../accounts/clock.js';
import type { Journal } from '../accounts/journal/journal.js';
import type { CoverageCounter } from '../coverage/coverage-counter.js';
import { AppliedDecisions } from '../decisions/applied-decisions.js';
import type { Decisions } from '../decisions/ledger.js';
import { ProblemError } from '../errors/problem-error.js';
import type { MatchedPath, RouteTable } from '../openapi/route-table.js';
import type { SpecificationFor } from '../openapi/specification-in-force.js';
import { isIssued, type Sign } from '../stubs/issued-tokens.js';
import type { Stub } from '../stubs/stub.js';
import type { Stubs } from '../stubs/stubs.js';
import { TOKEN_FORM } from '../values/bearer-token.js';
import type { Exchange, Step } from './exchange.js';
import {
  answerOptions,
  answerUnknownPath,
  type BesideDocument,
  explainUnknownMethod,
} from './unknown-path.js';

/** Where stubs are looked up. */
export interface StubSources {
  readonly accounts: Pick<Accounts, 'find'>;
  /** The stubs for every caller. */
  readonly stubs: Stubs;
}

/**
 * Finds the stub that a request calls, where no operation answers it: first those of its account, then
 * those for every caller. If there are only stubs of other methods, adds these to its path, for the 405.
 */
export function matchStub(sources: StubSources): Step {
  return (exchange) => {
    if (!isBesideOperations(exchange)) return;
    const found = stubsOf(exchange.fields, exchange.path, sources);
    if (found.length === 0) return;
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    exchange.stub = found.find((candidate) => candidate.method === method);
    if (!exchange.stub) exchange.endpoint = withStubs(exchange.endpoint, found);
  };
}

/** Lets the routes of the user try what neither an operation nor a stub answers. */
export function tryRoutes(hasRoutes: boolean): Step {
  return (exchange) => {
    exchange.isForRoutes =
      hasRoutes && !exchange.stub && exchange.method !== 'OPTIONS' && isBesideOperations(exchange);
  };
}

/** Whether the request is below the base path, and no operation answers it. */
function isBesideOperations({ isBelow, endpoint, method }: Exchange): boolean {
  return isBelow && !endpoint?.routes.has(method);
}

/** Whether a stub has this path, whatever its method. */
export function hasStub(fields: Exchange['fields'], path: string, sources: StubSources): boolean {
  return stubsOf(fields, path, sources).length > 0;
}

function stubsOf(
  fields: Exchange['fields'],
  path: string,
  { accounts, stubs }: StubSources,
): readonly Stub[] {
  const token = tokenIn(fields);
  const account = token === undefined ? undefined : accounts.find(token);
  return [...(account?.stubs.matching(path) ?? []), ...stubs.matching(path)];
}

/** The path of the document, if there is one, with the methods that stubs answer. */
function withStubs(path: MatchedPath | undefined, found: readonly Stub[]): MatchedPath {
  const stubs = found.filter(({ method }) => !path?.routes.has(method));
  const stubbed = stubs.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  const known = path?.methods.filter((method) => method !== 'OPTIONS') ?? [];
  return {
    template: path?.template ?? stubs[0]?.path ?? '',
    routes: path?.routes ?? new Map(),
    methods: [...new Set([...known, ...stubbed, 'OPTIONS'])],
    stubs: stubs.map(({ method, id, for: owner }) => `${method} (stub ${id} of the ${owner})`),
  };
}

/**
 * Finds the operation that the request calls. Answers OPTIONS, sends a browser from `/` to the page,
 * and refuses a path that the document does not have with 404, another method of its paths with 405.
 */
export function findOperation(routes: RouteTable, beside: BesideDocument): Step {
  return (exchange) => {
    if (exchange.stub || exchange.isForRoutes) return;
    const { endpoint, method } = exchange;
    if (!endpoint) return answerUnknownPath(exchange, routes, beside);
    if (method === 'OPTIONS') return answerOptions(exchange, endpoint.methods);
    exchange.route = endpoint.routes.get(method);
    if (!exchange.route) throw explainUnknownMethod(exchange, endpoint);
    // No document has HEAD.
    if (method === 'HEAD') exchange.method = 'GET';
  };
}

/** The scheme in any case (RFC 9110, 11.1), a space, and what may be a token. */
const CREDENTIALS = /^bearer +(\S+)$/i;

/**
 * Finds the account that the bearer token names (section 5). What it refuses never reaches one. Where
 * a stub needs none, a token that names none is ignored.
 */
export function authenticate(accounts: Pick<Accounts, 'admit'>): Step {
  return (exchange) => {
    const { stub } = exchange;
    try {
      const token = tokenOf(exchange.fields);
      exchange.account = accounts.admit(token);
      exchange.generation = exchange.account.generation;
      exchange.token = token;
    } catch (error) {
      if (!stub || stub.needsToken) throw error;
    }
  };
}

/** The token of the request, if it has one of the right form. */
export function tokenIn({ authorization }: Exchange['fields']): string | undefined {
  const [, token] = CREDENTIALS.exec(authorization ?? '') ?? [];
  return token !== undefined && TOKEN_FORM.test(token) ? token : undefined;
}

/** The token of the request; refuses a missing or malformed one. */
export function tokenOf(fields: Exchange['fields']): string {
  const token = tokenIn(fields);
  if (token !== undefined) return token;
  throw tokenError(fields);
}

/** The refusal of a request that has no token of the right form. */
export function tokenError({ authorization }: Exchange['fields']): ProblemError {
  return new ProblemError(
    'unauthorized',
    `${describe(authorization)}; expected 'Authorization: Bearer <token>'. Set the header, for example to 'Bearer my-token'.`,
    { decision: 'unauthorized-status' },
  );
}

/** What was received, never the token itself. */
function describe(header: string | undefined): string {
  if (header === undefined) return 'No Authorization header was received';
  if (header.trim() === '') return 'The Authorization header is empty';
  const [scheme = '', ...rest] = header.split(' ');
  if (scheme.toLowerCase() !== 'bearer') {
    return `The Authorization header does not have the scheme Bearer`;
  }
  return rest.join('').trim() === ''
    ? 'The Authorization header has no token after the scheme'
    : 'The token in the Authorization header has characters that RFC 6750 does not allow';
}

/** From here on the request is answered by the decisions of its account, and an operation by its specification. */
export function adoptSpecification(specificationFor: SpecificationFor): Step {
  return (exchange) => {
    if (!exchange.account) return;
    const { inForce } = exchange.account.decisions;
    exchange.decisions = new AppliedDecisions(inForce);
    if (!exchange.route) return;
    const { operationId } = exchange.route;
    exchange.specification = specificationFor(inForce);
    const route = exchange.specification.routes.routeOf(operationId);
    if (!route) throw new Error(`The document in force lacks the operation '${operationId}'.`);
    exchange.route = route;
  };
}

/** Opens the request's entry in the journal of its account, or of the server if it has none. */
export function keepJournal(serverJournal: Journal): Step {
  return (exchange) => noteRequest(exchange, serverJournal);
}

/** Notes a request in a journal, by the time of its clock; how it ends is added when it has. */
export function noteRequest(exchange: Exchange, serverJournal: Journal): void {
  if (exchange.noted) return;
  const { request, route, stub, account, basePath } = exchange;
  const { elapsedMs } = exchange.platform;
  const journal = account?.journal ?? serverJournal;
  const clock = account?.clock ?? new Clock();
  const startedAtMs = elapsedMs();
  const wasFrozen = clock.isFrozen;
  const noted = journal.open({
    atMs: clock.now().getTime(),
    method: request.method,
    target: exchange.target,
    operationId: route?.operationId,
    template: route?.template ?? stub?.path,
    stub,
    headerLines: request.headers.join('\n'),
    ...(basePath !== '' && { basePath }),
    ...(request.caller.isEncrypted && { isEncrypted: true }),
  });
  exchange.noted = noted;
  exchange.endings.push((isDelivered) => {
    // A frozen clock measures no time: the same requests give the same journal.
    const isStopped = wasFrozen || clock.isFrozen;
    noted.durationMs = isStopped ? 0 : Math.round(elapsedMs() - startedAtMs);
    noted.outcome = isDelivered ? 'answered' : 'aborted';
    journal.close(noted);
  });
}

/** Admits tokens as the accounts do, and counts those that `unknown-token` has let in. */
export function countingUnknown(
  accounts: Accounts,
  coverage: CoverageCounter,
  inForce: () => Decisions,
  sign: Sign,
): Pick<Accounts, 'admit'> {
  return {
    admit(token) {
      const isNew = accounts.find(token) === undefined;
      const account = accounts.admit(token);
      if (isNew && !isIssued(token, sign)) coverage.countDecision('unknown-token', inForce());
      return account;
    },
  };
}
