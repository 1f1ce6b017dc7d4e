import request from 'supertest';
import { createMockServer, ProblemError, type Routes } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const routes: Routes = (router, { accountOf }) => {
  router.post('/contracts', (request, response) => {
    response.status(201).json(accountOf(request).contracts.add(Object(request.body)));
  });
  router.get('/plans/:id', (request, response, next) => {
    if (request.params.id === 'none') return next();
    response.json({ id: request.params.id, page: request.query.page });
  });
  router.get('/fails', () => {
    throw new Error('out of order');
  });
  router.get('/refuses', () => {
    throw new ProblemError('unknown-identifier', 'There is no such plan.');
  });
  router.get('/measurements', (_request, response) => response.json('never'));
  router.use((request, response, next) =>
    request.path === '/used' ? response.send('text') : next(),
  );
};

const server = await createMockServer({ routes });

describe('a route', () => {
  test('acts on the account of the token', async () => {
    const client = clientOf(server);
    const response = await request(server.app)
      .post('/contracts')
      .set('Authorization', `Bearer ${client.token}`)
      .send({ id: 'k9', name: 'New' });
    expect([response.status, response.body.name]).toEqual([201, 'New']);
    expect((await client.delete('/contracts/k9')).status).toBe(200);
    expect((await clientOf(server).delete('/contracts/k9')).status).toBe(404);
  });

  test('has its parameters, and answers as in Express', async () => {
    const client = clientOf(server);
    expect((await client.get('/plans/a%20b?page=2')).body).toEqual({ id: 'a b', page: '2' });
    expect((await client.get('/used')).text).toBe('text');
  });

  test('needs a token', async () => {
    const { status, body } = await request(server.app).get('/plans/1');
    expect([status, body.title]).toEqual([401, 'Missing or invalid token']);
  });

  test('comes after the operations and the stubs', async () => {
    const client = clientOf(server);
    expect((await client.get('/measurements')).body.total).toBeGreaterThan(0);
    server.account(client.token).stubs.add({ method: 'GET', path: '/plans/1', body: 'a stub' });
    expect((await client.get('/plans/1')).body).toBe('a stub');
  });

  test('that does not answer leaves the call to the 404 and the 405', async () => {
    const client = clientOf(server);
    const { status, body } = await client.get('/plans/none');
    expect([status, body.title]).toEqual([404, 'Unknown path']);
    expect((await client.delete('/measurements')).status).toBe(405);
    expect((await request(server.app).options('/measurements')).status).toBe(204);
  });

  test('is in the journal, limited, and fails by a fault of its path', async () => {
    const client = clientOf(server);
    const account = server.account(client.token);
    account.faults.add({ path: '/plans/{id}', kind: 'status', status: 503 });
    expect((await client.get('/plans/1')).status).toBe(503);
    expect((await client.get('/plans/1')).status).toBe(200);
    expect(account.journal.list()).toMatchObject([
      { path: '/plans/1', status: 503, fault: 1 },
      { path: '/plans/1', status: 200, outcome: 'answered' },
    ]);
    account.decisions.change({ 'rate-limit': '1/1m' });
    await client.get('/plans/1');
    expect((await client.get('/plans/1')).status).toBe(429);
  });

  test('that throws is a 500 that says so', async () => {
    const { status, body } = await clientOf(server).get('/fails');
    expect(status).toBe(500);
    expect(body.detail).toBe(
      "A route in the option 'routes' failed to answer GET /fails: out of order. The log has the stack.",
    );
  });

  test('refuses with a problem that it throws', async () => {
    const { status, body } = await clientOf(server).get('/refuses');
    expect([status, body.detail]).toEqual([404, 'There is no such plan.']);
  });
});

describe('the option routes', () => {
  test('is a function', async () => {
    await expect(createMockServer({ routes: {} as Routes })).rejects.toThrow(
      "The option 'routes' is {}; expected a function that takes a router.",
    );
  });
});
