import { inspect } from 'node:util';
import type { MockServer, MockServerOptions } from '../../src/index.js';
import {
  type ConnectOptions,
  connectMockServer,
  type RemoteServer,
} from '../../src/mock/client/connect-mock-server.js';
import { OPERATION_IDS, operationOf, recordExchanges, violationsOf } from './exchanges.js';
import { STEPS, type Verbs } from './verbs.js';

/** The options of the library's mock, and of the mock to which the client connects. */
export const OPTIONS: MockServerOptions = {
  dataset: 'edge-cases',
  journalSize: 10,
  accounts: { 'token-refused': { refused: true } },
};

/** The operations that no verb calls: for health checks, the page, people, and to stop the mock. */
const NOT_OF_CLIENT = [
  'stopServer',
  ...['getStart', 'getHealth', 'getReadiness', 'getControlDocument', 'getLedger'],
  ...[
    'listAccounts',
    'streamRequests',
    'dropSnapshot',
    'getRequest',
    'getRequestArchive',
    'getStub',
    'listScenarios',
    'listSnapshots',
  ],
];

/** The outcome of a step: its value, or the class of what it throws. */
async function outcomeOf(act: () => unknown): Promise<unknown> {
  try {
    return { value: await act() };
  } catch (error) {
    return { threw: (error as Error).name };
  }
}

/** Sends requests to the service; library and client must then show the same journal. */
export function requestOf(server: Pick<MockServer, 'fetch'>, host = 'mock'): Verbs['request'] {
  return async (path, method = 'GET', token = 'parity') => {
    const headers = { host, ...(token !== '' && { Authorization: `Bearer ${token}` }) };
    return (await server.fetch(path, { method, headers })).status;
  };
}

/** Wraps a server, and notes in `used` each member, at any depth, that is called or read. */
function noting<Part extends object>(part: Part, used: Set<string>, prefix = ''): Part {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      const path = prefix + String(name);
      used.add(path);
      if (typeof member === 'function') {
        return (...given: unknown[]) => {
          const result: unknown = member.apply(target, given);
          return path === 'account' ? noting(Object(result), used, 'account.') : result;
        };
      }
      return isPart(member) ? noting(member, used, `${path}.`) : member;
    },
  });
}

function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Promise);
}

/** The names of all members of the client, and of an account, at every depth. */
function membersOf(part: object, prefix = ''): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(part)).flatMap(
    ([name, { value, get }]) => [
      prefix + name,
      ...(get === undefined && isPart(value) ? membersOf(value, `${prefix}${name}.`) : []),
    ],
  );
}

/** Expects a client to do all that the library does, as the document says. */
export async function compareWithLibrary(
  library: MockServer,
  options: ConnectOptions,
  request: Verbs['request'],
  host?: string,
): Promise<void> {
  const { fetch, exchanges } = recordExchanges(options.fetch);
  const used = new Set<string>();
  const client = noting(connectMockServer({ ...options, fetch }), used);
  const verbsOf = (from: Pick<RemoteServer, 'account'>, request: Verbs['request']) =>
    ({
      server: from,
      request,
      get account() {
        return from.account('parity');
      },
    }) as Verbs;
  const near = verbsOf(library as unknown as RemoteServer, requestOf(library, host));
  const far = verbsOf(client, request);

  const differences: string[] = [];
  for (const [about, act] of STEPS) {
    const expected = await outcomeOf(() => act(near));
    const actual = await outcomeOf(() => act(far));
    if (!equals(actual, expected)) {
      differences.push(`${about}: expected ${inShort(expected)}, was ${inShort(actual)}`);
    }
  }

  expect(differences).toEqual([]);
  const account = connectMockServer({ url: options.url }).account('x');
  const verbs = [...membersOf(client), ...membersOf(account, 'account.')];
  expect(verbs.filter((name) => !['url', 'stop'].includes(name) && !used.has(name))).toEqual([]);
  expect(exchanges.flatMap(violationsOf)).toEqual([]);
  const called = new Set(exchanges.map((one) => operationOf(one)?.operationId));
  const uncalled = OPERATION_IDS.filter((id) => !called.has(id));
  expect(uncalled.sort()).toEqual(NOT_OF_CLIENT.sort());
}

function inShort(outcome: unknown): string {
  return inspect(outcome, { depth: 6, breakLength: Number.POSITIVE_INFINITY }).slice(0, 500);
}

function equals(actual: unknown, expected: unknown): boolean {
  try {
    expect(actual).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}
