import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { type Client, clientOf } from '../support/client.js';
import { violationsOf } from '../support/document.js';

const dataset = 'empty';
const limited = await createMockServer({ dataset, decisions: { 'rate-limit': '3/1m' } });
const unlimited = await createMockServer({ dataset });

/** An account with a frozen clock. */
function openAccount(server = limited) {
  const client = clientOf(server);
  const account = server.account(client.token);
  account.clock.freeze('2030-01-02T03:04:05.000Z');
  return { client, account };
}

/** The statuses of this many sequential calls. */
async function statusesOf(client: Client, times: number) {
  const statuses = [];
  for (let count = 0; count < times; count += 1) {
    statuses.push((await client.get('/measurements?limit=1')).status);
  }
  return statuses;
}

describe('a rate limit', () => {
  test('of the whole server is a problem from the request after the last on', async () => {
    const { client } = openAccount();
    expect(await statusesOf(client, 3)).toEqual([200, 200, 200]);
    const { status, headers, body } = await client.get('/measurements');
    expect(status).toBe(429);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(headers['retry-after']).toBe('60');
    expect(body).toEqual({
      type: 'urn:usage-billing-mock:problem:too-many-requests',
      title: 'Rate limit exceeded',
      status: 429,
      detail: expect.stringMatching(
        /^Rate limit reached \(3 per 1m\)\..* advance it by 60 s, or switch the decision\.$/,
      ),
      decision: 'rate-limit',
      section: '8',
      switch:
        'Start with --decide rate-limit=unlimited (or 100/1m), or PATCH /__control/decisions.',
    });
    expect(violationsOf({ $ref: '#/components/schemas/Problem' }, body)).toEqual([]);
    expect(await statusesOf(client, 2)).toEqual([429, 429]);
  });

  test('of one account holds for that account alone, and until it is lifted', async () => {
    const [mine, other] = [openAccount(unlimited), openAccount(unlimited)];
    mine.account.decisions.change({ 'rate-limit': '2/1m' });
    expect(await statusesOf(mine.client, 3)).toEqual([200, 200, 429]);
    expect(await statusesOf(other.client, 3)).toEqual([200, 200, 200]);
    mine.account.decisions.change({ 'rate-limit': 'unlimited' });
    expect(await statusesOf(mine.client, 3)).toEqual([200, 200, 200]);
  });

  test('of one account can be switched over HTTP', async () => {
    const { client } = openAccount(unlimited);
    const switched = await request(unlimited.app)
      .patch('/__control/decisions')
      .set('Authorization', `Bearer ${client.token}`)
      .send({ 'rate-limit': '1/1m' });
    expect(switched.body).toMatchObject({ 'rate-limit': '1/1m' });
    expect(await statusesOf(client, 2)).toEqual([200, 429]);
  });

  test('changes nothing by the request that it refuses', async () => {
    const { client, account } = openAccount();
    account.contracts.put({ id: 'k1' });
    await statusesOf(client, 3);
    const before = account.fingerprint();
    expect((await client.delete('/contracts/k1')).status).toBe(429);
    expect(account.fingerprint()).toBe(before);
    account.clock.advance(60_000);
    expect((await client.delete('/contracts/k1')).status).toBe(200);
  });

  test.each(['1/x', '1/1d', '-1/1m', '3/0s', '0/1m', '1/99999999999999999999h'])(
    'cannot be %j',
    (limit) => {
      const { account } = openAccount(unlimited);
      const change = { 'rate-limit': limit } as never;
      expect(() => account.decisions.change(change)).toThrow(
        'expected unlimited or a limit such as 100/1m',
      );
      expect(account.decisions.inForce['rate-limit']).toBe('unlimited');
    },
  );
});

describe('the window of a rate limit', () => {
  test("ends by the account's clock, and not a millisecond before", async () => {
    const { client, account } = openAccount();
    expect(await statusesOf(client, 4)).toEqual([200, 200, 200, 429]);
    account.clock.advance(59_999);
    const late = await client.get('/measurements');
    expect([late.status, late.headers['retry-after']]).toEqual([429, '1']);
    account.clock.advance(1);
    expect(await statusesOf(client, 4)).toEqual([200, 200, 200, 429]);
  });

  test('begins with the first request after the one before has ended', async () => {
    const { client, account } = openAccount();
    await statusesOf(client, 1);
    account.clock.advance(90_000);
    expect(await statusesOf(client, 3)).toEqual([200, 200, 200]);
    account.clock.advance(59_999);
    expect(await statusesOf(client, 1)).toEqual([429]);
    account.clock.advance(1);
    expect(await statusesOf(client, 1)).toEqual([200]);
  });

  test('does not begin anew with a request within it', async () => {
    const { client, account } = openAccount();
    await statusesOf(client, 1);
    account.clock.advance(30_000);
    await statusesOf(client, 2);
    const { status, headers } = await client.get('/measurements');
    expect([status, headers['retry-after']]).toEqual([429, '30']);
    account.clock.advance(30_000);
    expect(await statusesOf(client, 1)).toEqual([200]);
  });

  test.each([
    [500, '60'],
    [1_000, '59'],
    [59_000, '1'],
  ])('has told %i ms after its beginning to come back after %s s', async (elapsedMs, seconds) => {
    const { client, account } = openAccount();
    await statusesOf(client, 3);
    account.clock.advance(elapsedMs);
    const { headers } = await client.get('/measurements');
    expect(headers['retry-after']).toBe(seconds);
    account.clock.advance(Number(seconds) * 1_000);
    expect(await statusesOf(client, 1)).toEqual([200]);
  });

  test.each([
    ['1/500ms', 500],
    ['1/2s', 2_000],
    ['1/1m', 60_000],
    ['1/1h', 3_600_000],
  ])('of %s is %i ms long', async (limit, lengthMs) => {
    const { client, account } = openAccount(unlimited);
    account.decisions.change({ 'rate-limit': limit } as never);
    await statusesOf(client, 1);
    account.clock.advance(lengthMs - 1);
    expect(await statusesOf(client, 1)).toEqual([429]);
    account.clock.advance(1);
    expect(await statusesOf(client, 1)).toEqual([200]);
  });

  test('is fresh after a reset of the account', async () => {
    const { client, account } = openAccount();
    expect(await statusesOf(client, 4)).toEqual([200, 200, 200, 429]);
    account.reset();
    expect(await statusesOf(client, 4)).toEqual([200, 200, 200, 429]);
  });

  test('comes back with a snapshot, as full as it was', async () => {
    const { client, account } = openAccount();
    await statusesOf(client, 2);
    const id = account.snapshot();
    expect(await statusesOf(client, 2)).toEqual([200, 429]);
    account.restore(id);
    expect(await statusesOf(client, 2)).toEqual([200, 429]);
  });

  test('stays when the faults are cleared', async () => {
    const { client, account } = openAccount();
    await statusesOf(client, 3);
    account.faults.clear();
    expect(await statusesOf(client, 1)).toEqual([429]);
  });
});

describe('a rate limit counts', () => {
  test.each([
    ['a request that is not valid', (client: Client) => client.get('/measurements?limit=0'), 400],
    ['one that finds nothing', (client: Client) => client.get('/customers/nobody'), 404],
    ['one without its body', (client: Client) => client.postRefs({}), 400],
    ['a HEAD', (client: Client) => client.head('/measurements'), 200],
    ['another operation', (client: Client) => client.deleteEvents(['x']), 200],
    [
      'one that asks for an error',
      (client: Client) => client.get('/measurements').set('Prefer', 'code=500'),
      500,
    ],
  ])('%s', async (_words, call, expected) => {
    const { client } = openAccount();
    expect((await call(client)).status).toBe(expected);
    expect(await statusesOf(client, 3)).toEqual([200, 200, 429]);
    expect((await call(client)).status).toBe(429);
  });

  test('a request that meets a fault, and refuses one before it does', async () => {
    const { client, account } = openAccount();
    account.faults.add({ kind: 'status', status: 503, times: 9 });
    expect(await statusesOf(client, 4)).toEqual([503, 503, 503, 429]);
    expect(account.faults.list()).toMatchObject([{ seen: 3 }]);
  });

  test('no call of the control plane, which it never refuses', async () => {
    const { client } = openAccount();
    for (let count = 0; count < 5; count += 1) await client.get('/__control/account');
    expect(await statusesOf(client, 4)).toEqual([200, 200, 200, 429]);
    expect((await client.get('/__control/account')).status).toBe(200);
  });

  test.each([
    ['an unknown path', (client: Client) => client.get('/invoices'), 404],
    ['a wrong method', (client: Client) => client.delete('/measurements'), 405],
    [
      'a missing token',
      (client: Client) => client.get('/measurements').set('Authorization', 'none'),
      401,
    ],
  ])('not %s', async (_words, call, expected) => {
    const { client } = openAccount();
    for (let count = 0; count < 4; count += 1) {
      expect((await call(client)).status).toBe(expected);
    }
    expect(await statusesOf(client, 4)).toEqual([200, 200, 200, 429]);
    expect((await call(client)).status).toBe(expected);
  });
});

test('a request beyond the rate limit is in the journal with its decision', async () => {
  const { client, account } = openAccount();
  await statusesOf(client, 4);
  expect(account.journal.list({ status: 429 })).toMatchObject([
    {
      operationId: 'listMeasurements',
      problem: 'too-many-requests',
      decision: 'rate-limit',
      decisionValue: '3/1m',
      outcome: 'answered',
    },
  ]);
});
