import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { writeFixture } from '../support/fixture.js';

const ACME = '65a000000000000000000001';
const CONTRACT = '65b000000000000000000001';

describe('an account over another dataset', () => {
  test('sees nothing of this one: not an id, not a name, not a count, not a ref', async () => {
    const server = await createMockServer();
    const empty = clientOf(server, 'token-empty');
    const responses = [
      await empty.get(`/customers/${ACME}`),
      await empty.get('/customers/name/Acme%20Corporation'),
      await empty.delete(`/contracts/${CONTRACT}`),
    ];
    for (const { status, body, text } of responses) {
      expect(status).toBe(404);
      expect(body.type).toBe('urn:usage-billing-mock:problem:unknown-identifier');
      expect(text).not.toMatch(/already deleted|Acme platform/);
    }
    expect((await empty.get('/measurements')).body).toEqual({
      measurements: [],
      total: 0,
      hasMore: false,
    });
    expect((await empty.deleteEvents(['globex-march'])).body).toEqual({ events: [] });
    expect((await clientOf(server).delete(`/contracts/${CONTRACT}`)).status).toBe(200);
  });

  test('has the name of its own file, even if that has the same records', async () => {
    const records = 'customers: [{ id: c1 }]';
    const other = writeFixture(records, 'other.yaml');
    const main = writeFixture(records, 'main.yaml');
    const server = await createMockServer({
      dataset: main,
      accounts: { 'token-b': { dataset: other } },
    });
    const extendedBy = (token: string) => {
      const account = server.account(token);
      account.customers.put({ id: 'c2' });
      return account.fixture().extends;
    };
    expect([extendedBy('token-a'), extendedBy('token-b')]).toEqual([main, other]);
  });

  test('refuses a cursor of this one, and says why without telling what it holds', async () => {
    const server = await createMockServer({ accounts: { 'token-b': { seed: 7 } } });
    const { nextCursor } = (await clientOf(server).get('/measurements')).body;
    for (const token of ['token-b', 'token-empty', 'token-edge-cases']) {
      const client = clientOf(server, token);
      const { status, body } = await client.get(`/measurements?cursor=${nextCursor}`);
      expect(status).toBe(400);
      expect(body.detail).toContain('it was issued for another dataset');
    }
  });

  test('under another seed shares the hand-written records, and no generated id', async () => {
    const server = await createMockServer({ accounts: { 'token-b': { seed: 7 } } });
    const idsOf = (token: string) =>
      (['customers', 'contracts', 'measurements', 'events'] as const).flatMap((name) =>
        server
          .account(token)
          [name].list()
          .map(({ id }) => id),
      );
    const own = new Set(idsOf('any'));
    expect(idsOf('token-b').filter((id) => own.has(id))).toHaveLength(5 + 5 + 2 + 4);
  });

  test('is declared in a fixture by a path from its folder', async () => {
    writeFixture('customers: [{ id: n, name: Neighbour }]', 'neighbour.yaml');
    const server = await createMockServer({
      dataset: writeFixture('accounts: { token-b: { dataset: ./neighbour.yaml } }'),
    });
    expect((await clientOf(server, 'token-b').get('/customers/n')).status).toBe(200);
    expect((await clientOf(server).get('/customers/n')).status).toBe(404);
  });

  test('is declared by an option, which wins over the fixture', async () => {
    const server = await createMockServer({
      accounts: { 'token-empty': { dataset: 'edge-cases' } },
    });
    expect((await clientOf(server, 'token-empty').get('/measurements')).body.total).toBe(37);
  });

  test('is inherited from the dataset that a fixture extends', async () => {
    const server = await createMockServer({ dataset: writeFixture('extends: default') });
    expect((await clientOf(server, 'token-empty').get('/measurements')).body.total).toBe(0);
  });

  test('keeps the seed of its own fixture when the server has another', async () => {
    const text = 'seed: 3\ngenerate: { customers: 1 }';
    const file = writeFixture(text);
    const bound = await createMockServer({ seed: 99, accounts: { b: { dataset: file } } });
    const own = await createMockServer({ dataset: file });
    expect(bound.account('b').customers.list()).toEqual(own.account('t').customers.list());
  });
});

describe('a refused token', () => {
  test('is answered 401, under every path', async () => {
    const server = await createMockServer();
    const client = clientOf(server, 'token-refused');
    for (const response of [
      await client.get('/measurements'),
      await client.delete(`/contracts/${CONTRACT}`),
      await client.deleteEvents(['x']),
    ]) {
      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toContain('Bearer');
      expect(response.body.detail).toContain('declares this token as refused');
      expect(response.text).not.toContain('token-refused');
    }
  });

  test('cannot be opened through the library', async () => {
    const server = await createMockServer();
    expect(() => server.account('token-refused')).toThrow('declares this token as refused');
  });

  test('stays refused when unknown tokens are, and declared ones are let in', async () => {
    const server = await createMockServer({ decisions: { 'unknown-token': 'reject' } });
    expect((await clientOf(server, 'token-refused').get('/measurements')).status).toBe(401);
    expect((await clientOf(server, 'token-empty').get('/measurements')).status).toBe(200);
    expect((await clientOf(server, 'never-seen').get('/measurements')).status).toBe(401);
  });
});

describe('the option accounts', () => {
  test.each([
    [{ t: { dataste: 'empty' } }, "Unknown member 'dataste' in 't'. Did you mean 'dataset'?"],
    [{ t: { seed: -1 } }, "'t/seed' is -1; expected at least 0"],
    [{ 'two words': {} }, '\'two words\' is "two words"; expected a bearer token'],
    [
      { t: { dataset: 'defualt' } },
      "The dataset of the account 't' is 'defualt'; expected default",
    ],
    [{ t: null }, "'t' is null; expected an object"],
    ['t', 'is "t"; expected an object such as'],
  ])('%j is refused, and the message says what was expected', async (accounts, expected) => {
    const refusal = createMockServer({ accounts } as never);
    await expect(refusal).rejects.toThrow(expected);
  });
});
