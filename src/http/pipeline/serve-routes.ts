import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler } from 'express';
import type { Account } from '../../accounts/account.js';
import type { AccountControl } from '../../accounts/account-control.js';
import type { Accounts } from '../../accounts/accounts.js';
import type { Journal } from '../../accounts/journal/journal.js';
import type { Latency } from '../../accounts/latency.js';
import { ProblemError } from '../../errors/problem-error.js';
import { parseSentBody } from './answer-stub/read-sent-body.js';
import {
  isBesideOperations,
  stepsBesideOperations,
} from './answer-stub/steps-beside-operations.js';
import { authenticate } from './authenticate.js';
import { delayAnswer } from './delay-answer.js';
import { createStep, exchangeOf } from './exchange.js';

/**
 * A request as a route gets it: that of Express, as far as it is typed here. The body is parsed if it
 * is JSON or a form, and otherwise an empty object.
 *
 * @example
 * const handler: RouteHandler = (request: RouteRequest, response) => {
 *   response.json({ id: request.params.id, page: request.query.page });
 * };
 */
export interface RouteRequest extends IncomingMessage {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly body: unknown;
}

/**
 * A response as a route gets it: that of Express, as far as it is typed here.
 *
 * @example
 * const handler: RouteHandler = (_request, response: RouteResponse) => {
 *   response.status(201).json({ id: 1 });
 * };
 */
export interface RouteResponse extends ServerResponse {
  status(code: number): this;
  set(fields: Readonly<Record<string, string>>): this;
  json(body: unknown): this;
  send(body: string | Uint8Array): this;
}

/**
 * Answers a call, or passes it on with `next()`.
 *
 * @example
 * const handler: RouteHandler = (_request, response) => response.json({ invoices: [] });
 */
export type RouteHandler = (
  request: RouteRequest,
  response: RouteResponse,
  next: (error?: unknown) => void,
) => unknown;

type AddRoute = (path: string, ...handlers: RouteHandler[]) => unknown;

/**
 * A router of Express, as far as it is typed here.
 *
 * @example
 * const routes: Routes = (router: RoutesRouter) => {
 *   router.get('/invoices/:id', (request, response) => response.json({ id: request.params.id }));
 * };
 */
export interface RoutesRouter {
  readonly get: AddRoute;
  readonly post: AddRoute;
  readonly put: AddRoute;
  readonly patch: AddRoute;
  readonly delete: AddRoute;
  readonly use: (...handlers: RouteHandler[]) => unknown;
}

/**
 * What routes need of the mock.
 *
 * @example
 * const routes: Routes = (router, mock: RoutesMock) => {
 *   router.get('/me', (request, response) =>
 *     response.json({ customers: mock.accountOf(request).customers.list().length }),
 *   );
 * };
 */
export interface RoutesMock {
  /** The account of the token that the request was sent with. */
  accountOf(request: RouteRequest): AccountControl;
}

/**
 * Adds routes to a router, once, when the server is created.
 *
 * @example
 * const routes: Routes = (router, { accountOf }) => {
 *   router.post('/contracts', (request, response) => {
 *     response.status(201).json(accountOf(request).contracts.add(Object(request.body)));
 *   });
 * };
 * const server = await createMockServer({ routes });
 */
export type Routes = (router: RoutesRouter, mock: RoutesMock) => void;

/** Dependencies of the step. */
interface ServeRoutesParts {
  readonly accounts: Accounts;
  /** Where calls are noted that reach no account. */
  readonly journal: Journal;
  /** How long answers to these are held back. */
  readonly latency: Latency;
  /** What precedes the path of every route. */
  readonly basePath: string;
  readonly largestBytes: number;
}

/**
 * Lets the routes of the option answer a call that neither an operation nor a stub answers, once its
 * account is known. What they do not answer continues.
 */
export function serveRoutes(routes: Routes, parts: ServeRoutesParts): RequestHandler {
  const accountOfRequest = new WeakMap<object, Account>();
  const router = express.Router();
  routes(router as unknown as RoutesRouter, {
    accountOf(request) {
      const account = accountOfRequest.get(request);
      if (account) return account;
      throw new TypeError(
        'accountOf() was called with something else than the request of a route.',
      );
    },
  });
  const steps = express.Router();
  steps.use(
    authenticate(parts.accounts),
    ...stepsBesideOperations(parts.journal, parts.largestBytes),
    createStep(['account'], async ({ account }, request, _response, next) => {
      await parseSentBody(request);
      accountOfRequest.set(request, account);
      next();
    }),
    // Before the route, which writes its answer itself.
    delayAnswer(parts.latency),
    runRouter(router),
  );
  return (request, response, next) => {
    const isBeside = isBesideOperations(request, response, parts.basePath);
    if (isBeside && request.method !== 'OPTIONS') steps(request, response, next);
    else next();
  };
}

function runRouter(router: RequestHandler): RequestHandler {
  return (request: Request, response, next) => {
    const { noted } = exchangeOf(response);
    response.once('close', () => {
      if (noted && noted.status === undefined && response.headersSent) {
        noted.status = response.statusCode;
      }
    });
    router(request, response, (error?: unknown) => {
      next(error === undefined || error === 'router' ? undefined : routeFailure(request, error));
    });
  };
}

function routeFailure({ method, path }: Request, thrown: unknown): unknown {
  if (thrown instanceof ProblemError) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new ProblemError(
    'internal-error',
    `A route of the option 'routes' failed to answer ${method} ${path}: ${why}. The log has the stack.`,
    { cause: thrown },
  );
}
