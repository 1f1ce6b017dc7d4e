import type { Accounts } from '../accounts/accounts.js';
import { ProblemError } from '../errors/problem-error.js';
import type { MatchedPath, RouteTable } from '../openapi/route-table.js';
import type { Stub } from '../stubs/stub.js';
import type { Stubs } from '../stubs/stubs.js';
import { preflightMethod, vary } from './cors.js';
import type { Exchange, Step } from './exchange.js';
import {
  explainMissingBasePath,
  explainUnknownMethod,
  explainUnknownPath,
} from './explain-unknown-path.js';
import { tokenIn } from './identify.js';
import { respond } from './leave.js';

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
function withStubs(path: MatchedPath | undefined, stubs: readonly Stub[]): MatchedPath {
  const stubbed = stubs.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  const known = path?.methods.filter((method) => method !== 'OPTIONS') ?? [];
  return {
    template: path?.template ?? stubs[0]?.path ?? '',
    routes: path?.routes ?? new Map(),
    methods: [...new Set([...known, ...stubbed, 'OPTIONS'])],
    stubs: stubs.map(({ method, id, for: owner }) => `${method} (stub ${id} of the ${owner})`),
  };
}

/** What has a path although the document has none. */
interface BesideDocument {
  /** What precedes the path of every operation. */
  readonly basePath?: string;
  /** Whether something else than an operation answers a path. */
  readonly isKnown?: (exchange: Exchange, path: string) => boolean;
  /** Whether a browser is sent from `/` to the page. */
  readonly hasPage?: boolean | undefined;
  /** Paths that are listed with those of the document. */
  readonly others?: readonly string[];
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

/** Answers OPTIONS with the allowed methods in `Allow` (RFC 9110, section 9.3.7). */
export function answerOptions(exchange: Exchange, methods: readonly string[]): void {
  respond(exchange, 204, { Allow: methods.join(', ') });
}

function answerUnknownPath(exchange: Exchange, routes: RouteTable, beside: BesideDocument): void {
  const { basePath = '', isKnown = () => false, hasPage = false, others = [] } = beside;
  const isTop = exchange.path === '/' && ['GET', 'HEAD'].includes(exchange.method);
  const page = `${exchange.basePath}${exchange.isBelow ? '' : basePath}/__control/ui`;
  if (hasPage && isTop && isOfBrowser(exchange)) {
    vary(exchange, 'Accept');
    respond(exchange, 302, { Location: page });
    return;
  }
  if (preflightMethod(exchange) !== undefined) {
    respond(exchange, 204);
    return;
  }
  // The server as a whole (RFC 9110, section 9.3.7).
  if (exchange.method === 'OPTIONS' && exchange.target === '*') {
    answerOptions(exchange, [...new Set(routes.paths.flatMap(({ methods }) => methods))]);
    return;
  }
  const problem = exchange.isBelow
    ? explainUnknownPath(exchange, routes, others)
    : explainMissingBasePath(
        basePath,
        exchange.path,
        (path) => routes.match(path) !== undefined || isKnown(exchange, path),
      );
  if (!hasPage || !isTop) throw problem;
  throw new ProblemError(
    'unknown-path',
    `${problem.message} A browser is sent to the page of the mock, ${page}.`,
  );
}

/** Whether a person asks, by way of a browser. */
export function isOfBrowser({ fields }: Exchange): boolean {
  return /\btext\/html\b/.test(fields.accept ?? '');
}
