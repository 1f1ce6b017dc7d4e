import type { AccountControl } from '../accounts/account-interface.js';

/**
 * Answers a call that neither an operation nor a stub answers; `undefined` leaves it to the mock,
 * which refuses it with a 404 or a 405. An error that it throws becomes a 500, unless it is a
 * `ProblemError`.
 *
 * @example
 * const routes: Routes = async (request, { account }) => {
 *   if (request.method !== 'POST' || !request.url.endsWith('/contracts')) return undefined;
 *   const contract = account.contracts.add(Object(await request.json()));
 *   return Response.json(contract, { status: 201 });
 * };
 * const server = await createMockServer({ routes });
 */
export type Routes = (
  request: Request,
  mock: RoutesMock,
) => Response | undefined | Promise<Response | undefined>;

/**
 * What the mock passes to routes besides the request.
 *
 * @example
 * const routes: Routes = (_request, mock: RoutesMock) =>
 *   Response.json({ customers: mock.account.customers.list().length });
 */
export interface RoutesMock {
  /** The account that the request's token names. */
  readonly account: AccountControl;
}

/** Advice for users who pass Express handlers as `routes`. */
export const MOUNT_HANDLERS =
  'Mount Express handlers before server.app, as in express().use(handlers, server.app); accounts, faults and the journal do not apply to them there.';
