import { createMockServer, type MockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';
import { callLarge, LARGE_RESPONSES, MAX_LARGE } from '../support/large-responses.js';

const TOKEN = 'closed-token';

/** Calls the control plane with a public id alone. */
async function callAs(server: MockServer, id: string, path: string, method = 'GET', body?: object) {
  const response = await server.fetch(`/__control${path}`, {
    method,
    headers: { 'X-Account-Id': id, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: Object(await response.json()) };
}

async function listed(server: MockServer, query = '') {
  const { body } = await controlOf(server, 'observer').get(`/accounts${query}`);
  return body as { total: number; accounts: Record<string, string>[] };
}

/** A mock with a closed account that was called twice, and the id of that account. */
async function withClosed(options = {}) {
  const server = await createMockServer({ dataset: 'empty', ...options });
  const client = clientOf(server, TOKEN);
  await client.get('/customers/nobody');
  await client.get('/measurements');
  const [account] = (await listed(server)).accounts;
  const id = String(account?.id);
  server.closeAccount(TOKEN);
  return { server, client, id };
}

describe('a closed account', () => {
  test('keeps its journal, which is read by its id', async () => {
    const { server, id } = await withClosed();
    const { body } = await callAs(server, id, '/requests');
    expect(body.requests).toMatchObject([
      {
        id: 1,
        path: '/customers/nobody',
        status: 404,
        headers: { authorization: 'Bearer [redacted]' },
      },
      { id: 2, path: '/measurements', status: 200 },
    ]);
    expect((await callAs(server, id, '/requests/1')).body).toMatchObject({ id: 1, status: 404 });
    const { explanation } = (await callAs(server, id, '/requests/1/explain')).body;
    expect(explanation.join(' ')).toContain('getCustomer');
    for (const [path, size] of [
      ['/requests/har', 2],
      ['/requests/2/har', 1],
    ] as const)
      expect((await callAs(server, id, path)).body.log.entries).toHaveLength(size);
    const counted = await callAs(server, id, '/requests/count', 'POST', { status: 404 });
    expect(counted.body).toEqual({ count: 1, evicted: 0 });
    expect(server.tokens()).toEqual([]);
  });

  test('is listed with closed=true, with when it was closed, and is not counted', async () => {
    const { server, id } = await withClosed();
    server.account('open-token');
    expect((await listed(server)).accounts.map((one) => one.id)).not.toContain(id);
    const { total, accounts } = await listed(server, '?closed=true');
    expect([total, accounts.length]).toEqual([1, 2]);
    expect(accounts[1]).toMatchObject({ id, name: 'clos…en#1', requests: 2, refused: 1 });
    expect(accounts[1]?.closedAt).toMatch(/^\d{4}-.*Z$/);
    expect(accounts[0]).not.toHaveProperty('closedAt');
    const found = await listed(server, `?closed=true&limit=1&text=${id}`);
    expect(found.accounts).toEqual([accounts[1]]);
    // Whatever was opened last stands first, open or not.
    await clientOf(server, 'later-token').get('/measurements');
    server.closeAccount('later-token');
    const ids = (await listed(server, '?closed=true')).accounts.map((one) => one.id);
    expect(ids.slice(1)).toEqual(accounts.map((one) => one.id));
  });

  test.each([
    ['GET', '/customers', undefined],
    ['GET', '/account', undefined],
    ['POST', '/faults', { kind: 'reset' }],
    ['POST', '/reset', undefined],
    ['DELETE', '/account', undefined],
    ['DELETE', '/requests', undefined],
    ['POST', '/requests/1/rewind', undefined],
    ['POST', '/requests/wait', {}],
    ['GET', '/requests/stream', undefined],
  ])('refuses %s %s, and says that it is closed', async (method, path, body) => {
    const { server, id } = await withClosed();
    const { status, body: problem } = await callAs(server, id, path, method, body);
    expect(status).toBe(404);
    expect(problem.detail).toMatch(
      /^The account with the X-Account-Id '.*' was closed at \d{4}-.*; expected .*GET \/__control\/requests/,
    );
    expect((await callAs(server, id, '/requests')).body.requests).toHaveLength(2);
  });

  test('gives way to a new account with its token, and is still read by its id', async () => {
    const { server, client, id } = await withClosed();
    const { journal } = server.account(TOKEN);
    expect(journal.count()).toBe(0);
    await client.get('/customers/another');
    expect(journal.list().map(({ path }) => path)).toEqual(['/customers/another']);
    expect((await callAs(server, id, '/requests')).body.requests).toHaveLength(2);
    server.closeAccount(TOKEN);
    expect((await listed(server, '?closed=true')).accounts).toHaveLength(2);
  });

  test('is named by its id as the bearer token, which calls of the service refuse', async () => {
    const { server, id } = await withClosed();
    const { status, body } = await clientOf(server, id).get('/measurements');
    expect(status).toBe(401);
    expect(body.detail).toMatch(
      /^The bearer token is the id of an account that was closed at \d{4}-.*Z; expected the token itself, .* or the id of an open account\./,
    );
    const control = controlOf(server, id);
    expect((await control.get('/requests')).body.requests).toHaveLength(2);
    expect((await control.post('/requests/count', { status: 404 })).body.count).toBe(1);
    const refused = await control.get('/account');
    expect([refused.status, refused.body.detail]).toEqual([401, body.detail]);
    expect(() => server.account(id)).toThrow(body.detail);
    expect(server.tokens()).toEqual([]);
  });

  test('is not kept if nothing was sent to it', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    server.account(TOKEN);
    server.closeAllAccounts();
    expect((await listed(server, '?closed=true')).accounts).toEqual([]);
  });

  test('is found no longer once it is pushed out', async () => {
    const { server, id } = await withClosed({ ...LARGE_RESPONSES });
    await callLarge(server, 'other-token', 10);
    expect((await callAs(server, id, '/requests')).body.detail).toMatch(/^No account has/);
    expect((await listed(server, '?closed=true')).accounts.map((one) => one.id)).not.toContain(id);
  });

  test('is pushed out before open ones', async () => {
    const server = await createMockServer({ ...LARGE_RESPONSES, dataset: 'empty' });
    const tokens = ['open-token', 'closed-token'];
    for (const token of tokens) await callLarge(server, token, 2);
    const journals = tokens.map((token) => server.account(token).journal);
    server.closeAccount('closed-token');
    const kept = () => journals.map((journal) => journal.count());
    await callLarge(server, 'last-token', MAX_LARGE);
    expect(kept()).toEqual([2, 0]);
  });

  test('is listed without a request only if its test was marked', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    server.account('marked-token').markTest({ outcome: 'passed' });
    server.account('another-token');
    server.closeAllAccounts();
    const { accounts } = await listed(server, '?closed=true');
    expect(accounts).toMatchObject([{ test: { outcome: 'passed' } }]);
  });
});
