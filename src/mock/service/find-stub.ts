import { byConcreteness, matchesTemplate } from '../../core/openapi/path-template.js';
import type { MatchedPath } from '../../core/openapi/route-table.js';
import type { Stub } from '../../core/stubs/stub.js';
import type { Stubs } from '../../core/stubs/stubs.js';
import type { Accounts } from '../accounts/account-registry.js';
import { tokenIn } from './authenticate.js';
import type { Exchange } from './exchange.js';

export interface StubSources {
  readonly accounts: Pick<Accounts, 'find'>;
  /** The stubs for every caller. */
  readonly stubs: Stubs;
}

export function hasStub(fields: Exchange['fields'], path: string, sources: StubSources): boolean {
  return stubsOf(fields, path, sources).length > 0;
}

/** The stubs whose path matches, whatever their methods: the account's first, then the server's. */
export function stubsOf(
  fields: Exchange['fields'],
  path: string,
  { accounts, stubs }: StubSources,
): readonly Stub[] {
  const token = tokenIn(fields);
  const account = token === undefined ? undefined : accounts.find(token);
  return [account?.stubs, stubs].flatMap((list) => matching(list?.list() ?? [], path));
}

/** The stubs whose path matches, whatever their methods; the most concrete first. */
function matching(stubs: readonly Stub[], path: string): readonly Stub[] {
  return stubs
    .filter((stub) => matchesTemplate(stub.path, path))
    .sort((one, other) => byConcreteness(one.path, other.path));
}

/** The path of the document, if there is one, with the methods that stubs answer. */
export function withStubs(path: MatchedPath | undefined, found: readonly Stub[]): MatchedPath {
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
