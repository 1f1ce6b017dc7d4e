import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer({
  stubs: [
    { method: 'POST', path: '/login', body: { token: '{{token body.user}}' } },
    { method: 'GET', path: '/me', needsToken: true, body: 'anybody' },
    { method: 'GET', path: '/version', body: '1' },
  ],
});

function open() {
  const client = clientOf(server);
  return {
    client,
    account: server.account(client.token),
    control: controlOf(server, client.token),
  };
}

describe('a stub of an account', () => {
  test('answers that account alone, before one for every caller', async () => {
    const { client, account } = open();
    account.stubs.add({ method: 'GET', path: '/me', body: 'Robin' });
    account.stubs.add({ method: 'GET', path: '/version', body: '2' });
    expect((await client.get('/me')).body).toBe('Robin');
    expect((await client.get('/version')).body).toBe('2');
    expect((await open().client.get('/me')).body).toBe('anybody');
    expect((await request(server.app).get('/version')).body).toBe('1');
  });

  test('always needs the token, by which the account is known', () => {
    const { account } = open();
    const stub = { method: 'GET', path: '/mine' } as const;
    expect(() => account.stubs.add({ ...stub, needsToken: false })).toThrow(
      `'needsToken' is false; expected true for an account's stub, because the token names the account. Leave out needsToken, or call server.stubs.add (POST with "for": "server").`,
    );
    expect(account.stubs.add(stub)).toMatchObject({ for: 'account', needsToken: true });
  });

  test('is saved by a snapshot, and removed by a reset', async () => {
    const { client, account } = open();
    account.stubs.add({ method: 'GET', path: '/plan', body: 'basic' });
    account.snapshot('basic');
    account.stubs.clear();
    account.stubs.add({ method: 'GET', path: '/plan', body: 'pro' });
    expect((await client.get('/plan')).body).toBe('pro');
    account.restore('basic');
    expect((await client.get('/plan')).body).toBe('basic');
    account.reset();
    expect((await client.get('/plan')).status).toBe(404);
    expect(server.stubs.list()).toHaveLength(3);
  });
});

describe('a call that a stub answers', () => {
  test('is in the journal of its account, marked, with its parameters and its body', async () => {
    const { client, account } = open();
    account.stubs.add({
      method: 'PUT',
      path: '/plans/{id}',
      status: 201,
      body: { id: '{{path.id}}' },
    });
    await request(server.app)
      .put('/plans/a%20b?x=1')
      .set('Authorization', `Bearer ${client.token}`)
      .send({ name: 'pro' });
    const [entry] = account.journal.list();
    expect(entry).toMatchObject({
      method: 'PUT',
      path: '/plans/a%20b',
      parameters: { id: 'a b', x: '1' },
      body: { name: 'pro' },
      status: 201,
      responseBytes: 12,
      outcome: 'answered',
      stub: { id: 1, for: 'account' },
    });
    expect(account.journal.explain(entry?.id ?? 0)).toEqual([
      'PUT /plans/a%20b?x=1 called stub 1 of the account.',
      'The request got a 201.',
    ]);
  });

  test('is in the journal of the server if it has no account', async () => {
    const before = server.journal.count();
    await request(server.app).post('/login').send({ user: 'a' });
    await request(server.app).post('/login').send({});
    const entries = server.journal.list().slice(before);
    expect(entries).toMatchObject([
      { path: '/login', status: 200, body: { user: 'a' }, stub: { id: 1, for: 'server' } },
      { path: '/login', status: 400, problem: 'invalid-request', stub: { id: 1, for: 'server' } },
    ]);
    expect(entries).toHaveLength(2);
  });

  test('is in the journal of the account whose token it was sent with, needed or not', async () => {
    const { client, account } = open();
    await client.get('/version');
    expect(account.journal.list()).toMatchObject([
      { path: '/version', stub: { id: 3, for: 'server' } },
    ]);
  });

  test('counts against the rate limit', async () => {
    const { client, account } = open();
    account.decisions.change({ 'rate-limit': '1/1m' });
    expect((await client.get('/me')).status).toBe(200);
    expect((await client.get('/me')).status).toBe(429);
    expect((await client.get('/measurements')).status).toBe(429);
  });

  test('fails by a fault of its path, and by no other', async () => {
    const { client, account } = open();
    account.stubs.add({ method: 'GET', path: '/plans/{id}', body: 'plan' });
    account.faults.add({ kind: 'status', status: 500 });
    account.faults.add({ path: '/plans/{id}', kind: 'status', status: 503 });
    account.faults.add({ path: '/me', kind: 'status', status: 502, phase: 'after' });
    expect((await client.get('/plans/1')).status).toBe(503);
    expect((await client.get('/plans/1')).status).toBe(200);
    expect((await client.get('/me')).status).toBe(502);
    expect((await client.get('/me')).body).toBe('anybody');
    expect((await client.get('/measurements')).status).toBe(500);
    expect(account.journal.list({ path: '/me' })).toMatchObject([{ fault: 3, status: 502 }, {}]);
  });

  test('is delayed by a fault of its path', async () => {
    const { client, account } = open();
    account.faults.add({ path: '/me', kind: 'delay', delayMs: 60 });
    const startedAt = performance.now();
    expect((await client.get('/me')).body).toBe('anybody');
    expect(performance.now() - startedAt).toBeGreaterThan(55);
  });
});

describe('a fault of a path', () => {
  test('applies to the operation that has it: of all contracts to one', async () => {
    const { client, account } = open();
    account.faults.add({ path: '/contracts/k1', kind: 'status', status: 503 });
    expect((await client.delete('/contracts/k2')).status).toBe(404);
    expect((await client.delete('/contracts/k1')).status).toBe(503);
    expect(account.faults.list()).toMatchObject([
      {
        path: '/contracts/k1',
        explanation:
          'Answers 503 before the call to /contracts/k1 is handled; it has fired 1 of 1 times.',
      },
    ]);
  });

  test('has no operationId as well', async () => {
    const { control } = open();
    const fault = { path: '/me', operationId: 'getCustomer', kind: 'reset' };
    const { status, body } = await control.post('/faults', fault);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { pointer: '/path', expected: 'no path with an operationId' },
    ]);
  });
});

describe('the path of a fault', () => {
  test.each(['me', '/me?x=1', 'http://localhost/me'])('is not %s', (path) => {
    expect(() => open().account.faults.add({ path, kind: 'reset' })).toThrow(
      `'path' is "${path}"; expected a path such as /login, without a query`,
    );
  });
});

describe('/__control/stubs', () => {
  test('adds, lists, reads and removes the stubs of the account', async () => {
    const { client, control } = open();
    const added = await control.post('/stubs', { method: 'GET', path: '/plan', body: 'pro' });
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      id: 1,
      for: 'account',
      method: 'GET',
      path: '/plan',
      status: 200,
      body: 'pro',
      needsToken: true,
    });
    expect((await client.get('/plan')).body).toBe('pro');
    expect(
      (await control.get('/stubs')).body.stubs.map((stub: { for: string }) => stub.for),
    ).toEqual(['account', 'server', 'server', 'server']);
    expect((await control.get('/stubs/1')).body).toEqual(added.body);
    expect((await control.get('/stubs/1?for=server')).body.path).toBe('/login');
    expect((await control.delete('/stubs/1')).body).toEqual(added.body);
    expect((await client.get('/plan')).status).toBe(404);
    expect((await control.delete('/stubs')).body).toEqual({ count: 0 });
  });

  test('adds and removes those for every caller', async () => {
    const { control } = open();
    const stub = { for: 'server', method: 'GET', path: '/status', body: 'up' };
    const { status, body } = await control.post('/stubs', stub);
    expect([status, body.for, body.needsToken]).toEqual([201, 'server', false]);
    expect((await request(server.app).get('/status')).body).toBe('up');
    expect((await control.delete(`/stubs/${body.id}`)).status).toBe(404);
    expect((await control.delete(`/stubs/${body.id}?for=server`)).status).toBe(200);
    expect((await request(server.app).get('/status')).status).toBe(404);
  });

  test('clears those for every caller', async () => {
    const other = await createMockServer({ stubs: [{ method: 'GET', path: '/a' }] });
    const control = controlOf(other);
    expect((await control.delete('/stubs?for=server')).body).toEqual({ count: 1 });
    expect(other.stubs.list()).toEqual([]);
  });

  test.each([
    [{ method: 'GET', path: '/a', boddy: 1 }, 400, "Did you mean 'body'?"],
    [{ method: 'GET', path: '/a', for: 'me' }, 400, 'one of account, server'],
    [
      { for: 'server', method: 'POST', path: '/login' },
      409,
      'The server already has stub 1 for POST /login',
    ],
  ])('refuses %j', async (stub, expectedStatus, sentence) => {
    const { status, body } = await open().control.post('/stubs', stub);
    expect(status).toBe(expectedStatus);
    expect(body.detail).toContain(sentence);
  });
});

describe('what a refusal says of stubs', () => {
  test('can be sent as it is', async () => {
    const { client, control } = open();
    const { body } = await client.get('/sessions/a');
    const [, stub = ''] = /with (\{.*?\}),/.exec(body.detail) ?? [];
    expect((await control.post('/stubs', JSON.parse(stub))).status).toBe(201);
    expect((await client.get('/sessions/a')).status).toBe(200);
  });
});
