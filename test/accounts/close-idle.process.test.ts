import { setImmediate } from 'node:timers/promises';
import {
  createMockServer,
  type MockServer,
  type Routes,
  type StubRequest,
} from '../../src/index.js';
import { useCommands } from '../support/command.js';
import { controlOf } from '../support/control.js';
import { until } from '../support/fetching.js';

const CONTRACT = '/contracts/65b000000000000000000001';
const start = useCommands('--log-format', 'json');

const STUBS: StubRequest[] = [{ method: 'GET', path: '/stubbed' }];
const routes: Routes = ({ url }) => (url.endsWith('/routed') ? Response.json({}) : undefined);

function call(server: MockServer, token: string, path = '/measurements?limit=1', method = 'GET') {
  return server.fetch(path, { method, headers: { Authorization: `Bearer ${token}` } });
}

async function withServer(
  options: Parameters<typeof createMockServer>[0],
  act: (server: MockServer) => Promise<void>,
) {
  const server = await createMockServer({ closeIdleAfter: '50ms', ...options });
  await server.start();
  await act(server);
  await server.stop();
}

describe('an account that nothing uses', () => {
  test('is closed, and its token opens a new one', () =>
    withServer({}, async (server) => {
      for (let nth = 0; nth < 2; nth += 1) {
        expect((await call(server, 'ci-1', CONTRACT, 'DELETE')).status).toBe(200);
        await until(() => server.tokens().length === 0);
      }
    }));

  test('is closed although only the library has opened it', () =>
    withServer({}, async (server) => {
      const held = server.account('library');
      await until(() => server.tokens().length === 0);
      expect(() => held.customers.list()).toThrow('The account was closed');
    }));

  test('stays open without the option', async () => {
    const server = await createMockServer();
    await server.start();
    server.account('t');
    await withServer({}, async (other) => {
      other.account('t');
      await until(() => other.tokens().length === 0);
    });
    expect(server.tokens()).toEqual(['t']);
    await server.stop();
  });

  test('makes room for another while the server does not listen', async () => {
    const server = await createMockServer({ closeIdleAfter: '2s', maxAccounts: 1 });
    server.account('first');
    const statuses = new Set<number>();
    while (!statuses.has(200)) statuses.add((await call(server, 'second')).status);
    expect([...statuses]).toEqual([503, 200]);
    expect(server.tokens()).toEqual(['second']);
  });
});

async function callById(server: MockServer, token: string) {
  const { body } = await controlOf(server, 'reader').get(`/accounts?text=${token}`);
  return call(server, body.accounts[0].id);
}

/** How an account is used; each gets an account with a token of its own. */
const USES: Readonly<Record<string, (server: MockServer, token: string) => unknown>> = {
  requested: call,
  'controlled-over-http': (server, token) => controlOf(server, token).get('/clock'),
  'requested-by-its-id': callById,
  'asked-for-a-stub': (server, token) => call(server, token, '/stubbed'),
  'asked-for-a-route': (server, token) => call(server, token, '/routed'),
  'held-by-the-library': (server, token) => server.account(token),
};

describe('an account that is used', () => {
  test('stays open as long as it is used now and then, in whichever way', () =>
    withServer({ closeIdleAfter: '2s', stubs: STUBS, routes }, async (server) => {
      const uses = Object.entries(USES);
      const accountsNow = () => uses.map(([token]) => [token, server.account(token)]);
      const before = accountsNow();
      for (let rounds = 0; rounds < 2; rounds += 1) {
        server.account('idle');
        while (server.tokens().includes('idle')) {
          await Promise.all(uses.map(([token, use]) => use(server, token)));
          await setImmediate();
        }
      }
      for (const [nth, [token, account]] of accountsNow().entries()) {
        expect([token, account === before[nth]?.[1]]).toEqual([token, true]);
      }
    }));

  test('stays open while its request is under way, however long that takes', () =>
    withServer({}, async (server) => {
      server.account('slow').faults.add({ kind: 'delay', delayMs: 500 });
      const response = call(server, 'slow', CONTRACT, 'DELETE');
      server.account('idle');
      await until(() => !server.tokens().includes('idle'));
      expect((await response).status).toBe(200);
      await until(() => server.tokens().length === 0);
    }));
});

test('a token that is declared as refused stays refused', () =>
  withServer({ accounts: { nobody: { refused: true } } }, async (server) => {
    for (let nth = 0; nth < 2; nth += 1) {
      expect((await call(server, 'nobody')).status).toBe(401);
      server.account('other');
      await until(() => server.tokens().length === 0);
    }
  }));

test('the command reports in its log how many it has closed', async () => {
  const { command, url } = await start(['--close-idle-after', '100ms']);
  await fetch(`${url}/measurements`, { headers: { Authorization: 'Bearer very-secret' } });
  await command.logged('no request for 100ms');
  const line = command
    .stderr()
    .split('\n')
    .find((text) => text.includes('no request for'));
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 'info',
    msg: 'Closed 1 account that had no request for 100ms (--close-idle-after).',
  });
  expect(line).not.toContain('very-secret');
});

test.each(['30', '0m', '-1m', '1d', 'thirty minutes', '', 30, '9999999999h'])(
  'closeIdleAfter refuses %j',
  async (closeIdleAfter) => {
    await expect(createMockServer({ closeIdleAfter: closeIdleAfter as string })).rejects.toThrow(
      "expected a duration of at least 1ms, such as '30m', '90s' or '2h'",
    );
  },
);
