import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountControl } from '../../accounts/account-control.js';

/**
 * The Express request that a route gets, as far as it is typed here. The body is parsed if it is JSON
 * or a form, and otherwise an empty object.
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
 * The Express response that a route gets, as far as it is typed here.
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
 * An Express router, as far as it is typed here.
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
 * What the mock offers to routes.
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
