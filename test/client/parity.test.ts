import { inspect } from 'node:util';
import {
  type ConnectOptions,
  connectMockServer,
  type RemoteServer,
} from '../../src/client/connect-mock-server.js';
import { createMockServer, type MockServer, type MockServerOptions } from '../../src/index.js';
import { variantsOf } from '../support/variants.js';
import { recordExchanges, violationsOf } from './exchanges.js';
import { STEPS, type Verbs } from './verbs.js';

const OPTIONS: MockServerOptions = {
  dataset: 'edge-cases',
  journalSize: 10,
  accounts: { 'token-refused': { refused: true } },
};

/** What a step comes to: its value, or what it throws. */
async function outcomeOf(act: () => unknown): Promise<unknown> {
  try {
    return { value: await act() };
  } catch (error) {
    const { name, message } = error as Error;
    return { threw: `${name}: ${message}` };
  }
}

/** Sends requests to the service, which the journal shows alike whichever way it is inspected. */
function requestOf(server: MockServer): Verbs['request'] {
  return async (path, method = 'GET', token = 'parity') => {
    const headers = { host: 'mock', ...(token !== '' && { Authorization: `Bearer ${token}` }) };
    return (await server.fetch(path, { method, headers })).status;
  };
}

/** The server, noting in `used` each member of it and of its parts that is called or read. */
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

async function startedServer(options: MockServerOptions = {}): Promise<MockServer> {
  const server = await createMockServer({ ...OPTIONS, ...options, port: 0 });
  await server.start();
  servers.push(server);
  return server;
}

const servers: MockServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** Ways to start the server, and what its client is then told. */
const STARTS: readonly (readonly [
  words: string,
  options: MockServerOptions,
  connect: (url: string) => Partial<ConnectOptions>,
])[] = [
  ['', {}, () => ({})],
  [' with a control token', { controlToken: 'secret' }, () => ({ controlToken: 'secret' })],
  [' where unknown tokens are rejected', { decisions: { 'unknown-token': 'reject' } }, () => ({})],
  [
    ' below a base path, with a slash at the end',
    { basePath: '/v1' },
    (url) => ({ url: `${url}/` }),
  ],
];

describe.each(variantsOf(STARTS, 2))('the client%s', (_words, options, connectOptions) => {
  test('does all that the library does, and refuses the same in the same words', async () => {
    const library = await createMockServer({ ...OPTIONS, ...options });
    const server = await startedServer(options);
    const { fetch, exchanges } = recordExchanges();
    const used = new Set<string>();
    const client = noting(
      connectMockServer({ url: server.url, fetch, ...connectOptions(server.url) }),
      used,
    );
    const verbs = (from: Pick<RemoteServer, 'account'>, request: Verbs['request']) =>
      ({
        server: from,
        request,
        get account() {
          return from.account('parity');
        },
      }) as Verbs;
    const near = verbs(library as unknown as RemoteServer, requestOf(library));
    const far = verbs(client, requestOf(server));

    const differences: string[] = [];
    for (const [about, act] of STEPS) {
      const expected = await outcomeOf(() => act(near));
      const actual = await outcomeOf(() => act(far));
      if (!equals(actual, expected)) {
        differences.push(`${about}: expected ${inShort(expected)}, was ${inShort(actual)}`);
      }
    }

    expect(differences).toEqual([]);
    expect([...used].sort()).toEqual(
      expect.arrayContaining(membersOf(client).filter((name) => name !== 'url')),
    );
    const account = connectMockServer({ url: server.url }).account('x');
    expect([...used].sort()).toEqual(expect.arrayContaining(membersOf(account, 'account.')));
    expect(exchanges.flatMap(violationsOf)).toEqual([]);
  }, 120_000);
});

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
