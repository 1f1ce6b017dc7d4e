import request from 'supertest';
import { createMockServer, type MockServer } from '../../src/index.js';
import { useMockServer } from '../../src/kits/jest/jest.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';

const mock = useMockServer();

const listOf = (server: MockServer, query = '') =>
  request(server.app).get(`/__control/accounts${query}`);

/** A server with these accounts open. */
async function serverWith(...tokens: string[]) {
  const server = await createMockServer({ dataset: 'empty' });
  for (const token of tokens) server.account(token);
  return server;
}

describe('GET /__control/accounts', () => {
  test('lists the open accounts, the newest first, with what each received and changed', async () => {
    const server = await createMockServer();
    const [first, second] = [clientOf(server, 'first-token'), clientOf(server, 'second-token')];
    await first.get('/measurements?limit=1');
    await first.delete('/contracts/65b000000000000000000001');
    await second.get('/customers/nobody');
    server.account('third-token').customers.put({ id: 'c1', name: 'Initech' });

    const { status, body } = await listOf(server);

    expect(status).toBe(200);
    expect(body).toEqual({
      total: 3,
      failed: 0,
      accounts: [
        account('thi…en#3', { requests: 0, changes: 1 }),
        account('seco…en#2', { requests: 1, refused: 1, lastRequestAt: expect.any(String) }),
        account('fir…en#1', { requests: 2, changes: 1, lastRequestAt: expect.any(String) }),
      ],
    });
    expect(new Set(body.accounts.map(({ id }: { id: string }) => id)).size).toBe(3);
    expect(JSON.stringify(body)).not.toMatch(/(first|second|third)-token/);
  });

  test('tells tokens of one suite apart by their ends, and shows nothing of a JSON Web Token', async () => {
    const tokens = [
      'test_billing_alpha_one',
      'test_billing_alpha_two',
      'fifteen-letters',
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln',
    ];
    const { body } = await listOf(await serverWith(...tokens));
    expect(namesIn(body)).toEqual(['…#4', 'fifte…rs#3', 'test…_two#2', 'test…_one#1']);
  });

  test('tells short tokens apart, and shows all of those that are no secret', async () => {
    const { body } = await listOf(await serverWith('clock-a', 'clock-b', 'clock-10', 'alice'));
    expect(namesIn(body)).toEqual(['alice#4', 'cl…10#3', 'cl…-b#2', 'cl…-a#1']);
  });

  test.each(['undefined', 'null', `\${token}`])(
    "says that the token '%s' is probably a variable that was not set",
    async (token) => {
      const server = await serverWith('my-token');
      const client = clientOf(server, token);
      await client.get(`/customers/name/${encodeURIComponent(`of ${token}`)}`);
      const { accounts } = (await listOf(server)).body;
      expect(accounts).toMatchObject([{ name: `${token}#2` }, { name: 'my…en#1' }]);
      expect(accounts[0].warning).toContain(`'Authorization: Bearer ${token}'`);
      expect(accounts[1]).not.toHaveProperty('warning');
      expect(server.account(token).journal.list()).toMatchObject([
        { parameters: { name: `of ${token}` }, headers: { authorization: 'Bearer [redacted]' } },
      ]);
    },
  );

  test('names those of a test kit after their tests', async () => {
    const server = await serverWith(mock.token, `${mock.token}x`);
    const [forged, own] = namesIn((await listOf(server)).body);
    expect(own).toBe(
      'list-accounts.test.ts › GET __control-accounts names those of a test kit after their tests#1',
    );
    expect(forged).toMatch(/^list…[\w-]{3}x#2$/);
  });

  test.each([
    ['whole', 'and the same test, '.repeat(6), 'and the same test#1'],
    ['up to 200 characters', 'and the same test, '.repeat(20), '…#1'],
  ])('names those of a test kit %s: %s', async (_length, _title, end) => {
    const [name = ''] = namesIn((await listOf(await serverWith(mock.token))).body);
    expect(name).toMatch(/^list-accounts\.test\.ts › GET __control-accounts names those/);
    expect(name.slice(-end.length)).toBe(end);
    expect(name.length - '#1'.length).toBeLessThanOrEqual(200);
  });

  describe.each([
    'löscht Müllers Vertrag nur einmal',
    'अनुबंध हटाता है',
    'قرارداد را حذف می\u200cکند',
    '𠮷野家 の 1 軒',
  ])('%s', (title) => {
    test('names those of a test kit with the letters of every script', async () => {
      const [name] = namesIn((await listOf(await serverWith(mock.token))).body);
      expect(name).toBe(
        `list-accounts.test.ts › GET __control-accounts ${title} names those of a test kit with the letters of every script#1`,
      );
      // All that a bearer token may have (RFC 6750, section 2.1), for whatever carries it.
      expect(mock.token).toMatch(/^[\w./~+-]+$/);
    });
  });

  test(`cuts no letter in two: ${'𠮷'.repeat(200)}`, async () => {
    const [name = ''] = namesIn((await listOf(await serverWith(mock.token))).body);
    expect(name).toMatch(/ cuts no letter in two 𠮷{100,}…#1$/u);
    expect(name.length).toBeLessThanOrEqual(2 * 200 + 2);
  });

  test('needs no bearer token and opens no account, also where none can be opened', async () => {
    const server = await createMockServer({ dataset: 'empty', maxAccounts: 1 });
    expect((await listOf(server)).body).toEqual({ accounts: [], total: 0, failed: 0 });
    server.account('only');
    const { body } = await listOf(server).set('Authorization', 'Bearer other');
    expect(body.total).toBe(1);
    expect(server.tokens()).toEqual(['only']);
  });

  test('answers whoever has the control token, and nobody else', async () => {
    const server = await createMockServer({ dataset: 'empty', controlToken: 'secret' });
    expect((await listOf(server)).status).toBe(403);
    expect((await listOf(server).set('X-Control-Token', 'secret')).status).toBe(200);
  });

  test('is read in pages, from which neither opening nor closing takes an account', async () => {
    const server = await serverWith('a', 'b', 'c', 'd', 'e');
    const first = await listOf(server, '?limit=2');
    expect(namesIn(first.body)).toEqual(['e#5', 'd#4']);
    server.closeAccount('d');
    server.account('f');
    const second = await listOf(server, `?limit=2&cursor=${first.body.nextCursor}`);
    expect(namesIn(second.body)).toEqual(['c#3', 'b#2']);
    const third = await listOf(server, `?limit=2&cursor=${second.body.nextCursor}`);
    expect(namesIn(third.body)).toEqual(['a#1']);
    expect(third.body).not.toHaveProperty('nextCursor');
  });

  test.each(['limit=0', 'limit=1001', 'limit=two', 'cursor=x', 'cursor=', 'page=2'])(
    'refuses %s',
    async (query) => {
      expect((await listOf(await serverWith('a'), `?${query}`)).status).toBe(400);
    },
  );

  test('says what a cursor is', async () => {
    const { body } = await listOf(await serverWith('a'), '?cursor=zz');
    expect(body.detail).toContain('Expected the nextCursor of the previous page');
  });

  test('finds accounts by a text in the name or the id', async () => {
    const server = await serverWith('first-token', 'second-token', 'other');
    const { body } = await listOf(server, '?text=SECO');
    expect([namesIn(body), body.total]).toEqual([['seco…en#2'], 3]);
    const [{ id }] = body.accounts;
    expect(namesIn((await listOf(server, `?text=${id}`)).body)).toEqual(['seco…en#2']);
    expect(namesIn((await listOf(server, '?text=%23&limit=2')).body)).toHaveLength(2);
  });

  test('finds an account by its whole token, and by no part that its name hides', async () => {
    const server = await serverWith('first-token', 'second-token');
    expect(namesIn((await listOf(server, '?text=second-token')).body)).toEqual(['seco…en#2']);
    expect(namesIn((await listOf(server, '?text=second-toke')).body)).toEqual([]);
  });

  test('counts refusals, but no injected failures, until a reset, though the journal drops their requests', async () => {
    const server = await createMockServer({ dataset: 'empty', journalSize: 2 });
    const client = clientOf(server, 'a-token');
    const countsOf = async () => {
      const [{ requests, refused }] = (await listOf(server)).body.accounts;
      return [requests, refused];
    };
    for (let times = 0; times < 4; times += 1) await client.get('/customers/nobody');
    await controlOf(server, 'a-token').post('/faults', { kind: 'status', status: 503 });
    for (let times = 0; times < 3; times += 1) await client.get('/measurements');
    expect(await countsOf()).toEqual([7, 4]);
    await controlOf(server, 'a-token').delete('/requests');
    expect(await countsOf()).toEqual([7, 4]);
    await controlOf(server, 'a-token').post('/reset');
    expect(await countsOf()).toEqual([0, 0]);
  });

  test('counts no refusal of a request that was under way when the account was reset', async () => {
    const server = await createMockServer({
      dataset: 'empty',
      routes(_request, { account }) {
        account.reset();
        return new Response(null, { status: 404 });
      },
    });
    expect((await clientOf(server, 'a-token').get('/late')).status).toBe(404);
    expect((await listOf(server)).body.accounts).toMatchObject([{ requests: 0, refused: 0 }]);
  });

  test('has the name of the dataset', async () => {
    const server = await createMockServer({
      dataset: 'edge-cases',
      accounts: { bound: { dataset: 'empty' } },
    });
    for (const token of ['bound', 'other']) server.account(token);
    const { body } = await listOf(server);
    const names = body.accounts.map(({ datasetName }: { datasetName: string }) => datasetName);
    expect(names).toEqual(['edge-cases', 'empty']);
  });

  test('knows an account by the same id until it is closed, after a reset too', async () => {
    const server = await serverWith('a-token');
    const idOf = async () => (await listOf(server)).body.accounts[0].id;
    const id = await idOf();
    await clientOf(server, 'a-token').get('/measurements');
    await controlOf(server, 'a-token').post('/reset');
    expect(await idOf()).toBe(id);
    expect((await listOf(server)).body.accounts[0]).toEqual(account('a-…en#1', { id }));
    server.closeAccount('a-token');
    server.account('a-token');
    expect(await idOf()).not.toBe(id);
  });

  test('gives no id that another server gives to the same token', async () => {
    const servers = [await serverWith('a'), await serverWith('a')];
    const lists = await Promise.all(servers.map((server) => listOf(server)));
    const [one, other] = lists.map(({ body }) => body.accounts[0].id);
    expect(one).not.toBe(other);
    const [first, second] = servers.map((server) => server.account('a').fingerprint());
    expect(first).toBe(second);
  });
});

/** A listed account; a beginning of the token stands for its name. */
function account(name: string, facts: object): object {
  return {
    id: expect.stringMatching(/^[\w-]{16,}$/),
    name,
    dataset: expect.any(String),
    datasetName: expect.stringMatching(/^(default|empty)$/),
    openedAt: expect.stringMatching(/Z$/),
    requests: 0,
    refused: 0,
    changes: 0,
    ...facts,
  };
}

function namesIn({ accounts }: { accounts: { name: string }[] }): string[] {
  return accounts.map(({ name }) => name);
}
