import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';

const CONTRACT = '65b000000000000000000001';

/** A server with these accounts open. */
async function serverWith(...tokens: string[]) {
  const server = await createMockServer({ dataset: 'empty' });
  for (const token of tokens) server.account(token);
  return server;
}

describe('DELETE /__control/accounts?all=true', () => {
  test('closes every account and says how many there were', async () => {
    const server = await createMockServer({ maxAccounts: 2 });
    const clients = [clientOf(server), clientOf(server)];
    for (const client of clients) await client.delete(`/contracts/${CONTRACT}`);
    const held = server.account(clients[0]?.token ?? '');
    const { status, body } = await controlOf(server, clients[0]?.token).delete(
      '/accounts?all=true',
    );
    expect([status, body]).toEqual([200, { closed: 2 }]);
    expect(server.tokens()).toEqual([]);
    expect(() => held.customers.list()).toThrow('The account was closed');
    for (const client of clients) {
      expect((await client.delete(`/contracts/${CONTRACT}`)).status).toBe(200);
    }
  });

  test('makes room where a new token is refused, and opens no account for its own', async () => {
    const server = await createMockServer({ dataset: 'empty', maxAccounts: 1 });
    server.account('first');
    const control = controlOf(server);
    expect((await control.get('/account')).status).toBe(503);
    expect((await control.delete('/accounts?all=true')).body).toEqual({ closed: 1 });
    expect((await control.delete('/accounts?all=true')).body).toEqual({ closed: 0 });
    expect(server.tokens()).toEqual([]);
    expect((await control.get('/account')).status).toBe(200);
  });
});

describe('DELETE /__control/accounts?prefix=…', () => {
  test('closes the accounts whose tokens begin so, and says how many there were', async () => {
    const server = await serverWith('ci-17-a', 'ci-170-b', 'CI-17-c', 'ci-17-d', 'my-ci-17-');
    const { status, body } = await controlOf(server).delete('/accounts?prefix=ci-17-');
    expect([status, body]).toEqual([200, { closed: 2 }]);
    expect(server.tokens()).toEqual(['ci-170-b', 'CI-17-c', 'my-ci-17-']);
    expect((await controlOf(server).delete('/accounts?prefix=ci-17-')).body).toEqual({ closed: 0 });
  });

  test('compares what is percent-encoded as it is meant', async () => {
    const server = await serverWith('a+b/c', 'a-b');
    expect((await controlOf(server).delete('/accounts?prefix=a%2Bb%2F')).body.closed).toBe(1);
    expect(server.tokens()).toEqual(['a-b']);
  });
});

describe('DELETE /__control/accounts', () => {
  test.each(['all=true', 'prefix=t'])(
    'with %s needs no bearer token, but the control token where one is demanded',
    async (query) => {
      const server = await createMockServer({ dataset: 'empty', controlToken: 'secret' });
      server.account('t');
      const close = () => request(server.app).delete(`/__control/accounts?${query}`);
      expect((await close()).status).toBe(403);
      expect(server.tokens()).toEqual(['t']);
      const { status, body } = await close().set('X-Control-Token', 'secret');
      expect([status, body]).toEqual([200, { closed: 1 }]);
    },
  );

  test.each([
    ['nothing', '', 'prefix=', 'all=true'],
    ['an empty prefix', '?prefix=', '/prefix'],
    ['a prefix that no token has', '?prefix=a b', '/prefix'],
    ['two prefixes', '?prefix=a&prefix=b', '/prefix'],
    ['both', '?prefix=t&all=true', 'not both'],
    ['all, with another value than true', '?all=false', '/all'],
    ['a parameter that it does not have', '?token=t', '/token'],
    ['a parameter beside all', '?all=true&dry=true', '/dry'],
  ])('refuses %s, and closes none', async (_what, query, ...reasons) => {
    const server = await serverWith('t', 'a');
    const { status, body } = await controlOf(server).delete(`/accounts${query}`);
    expect(status).toBe(400);
    for (const reason of reasons) expect(JSON.stringify(body)).toContain(reason);
    expect(server.tokens()).toEqual(['t', 'a']);
  });
});

describe('the library', () => {
  test('closes all accounts', async () => {
    const server = await createMockServer({ dataset: 'empty', maxAccounts: 2 });
    for (const token of ['a', 'b']) server.account(token);
    expect(server.closeAllAccounts()).toBe(2);
    expect(server.closeAllAccounts()).toBe(0);
    expect(server.tokens()).toEqual([]);
  });

  test('closes those whose tokens have a prefix', async () => {
    const server = await serverWith('ci-17-a', 'ci-18-a', 'ci-17-b');
    expect(server.closeAccounts({ prefix: 'ci-17-' })).toBe(2);
    expect(server.tokens()).toEqual(['ci-18-a']);
  });

  test.each([{ prefix: '' }, {}, undefined, { prefix: 17 }, { prefix: 'c', all: true }, 'ci'])(
    'refuses the selection %j, and closes none',
    async (selection) => {
      const server = await serverWith('ci-17-a');
      expect(() => server.closeAccounts(selection as { prefix: string })).toThrow(
        /expected \{ prefix: .* \}.*closeAllAccounts/,
      );
      expect(server.tokens()).toEqual(['ci-17-a']);
    },
  );
});
