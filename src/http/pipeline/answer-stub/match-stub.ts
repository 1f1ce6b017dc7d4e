import type { Request } from 'express';
import type { Accounts } from '../../../accounts/accounts.js';
import type { MatchedPath } from '../../../openapi/route-table.js';
import type { Stub } from '../../../stubs/stub.js';
import type { Stubs } from '../../../stubs/stubs.js';
import { tokenIn } from '../authenticate.js';
import type { Exchange } from '../exchange.js';
import { pathOf } from '../match-path.js';

/** Where stubs are looked up. */
export interface StubSources {
  readonly accounts: Accounts;
  /** The stubs for every caller. */
  readonly stubs: Stubs;
}

/**
 * Notes which stub a request calls that no operation answers: first those of its account, then those
 * for every caller. If there are only stubs of other methods, adds these to its path, for the 405.
 */
export function matchStub(exchange: Exchange, request: Request, sources: StubSources): void {
  const found = stubsOf(request, pathOf(request), sources);
  if (found.length === 0) return;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const stub = found.find((candidate) => candidate.method === method);
  if (stub) exchange.stub = stub;
  else exchange.path = withStubs(exchange.path, found);
}

/** Whether a stub would answer the request if it had this path, whatever its method. */
export function hasStub(
  request: Pick<Request, 'headers'>,
  path: string,
  sources: StubSources,
): boolean {
  return stubsOf(request, path, sources).length > 0;
}

function stubsOf(
  request: Pick<Request, 'headers'>,
  path: string,
  { accounts, stubs }: StubSources,
): Stub[] {
  const token = tokenIn(request);
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
