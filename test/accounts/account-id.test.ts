import request, { type Test } from 'supertest';
import { createMockServer, type MockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Calls the control plane with only these header fields. */
function call(server: MockServer, headers: object, path: string, method: Method = 'get'): Test {
  return request(server.app)
    [method](`/__control${path}`)
    .set(headers as Record<string, string>);
}

/** A server with one account, which has received a request, and the account's id. */
async function serverWithAccount() {
  const server = await createMockServer();
  await clientOf(server, 'app-token').get('/customers/nobody');
  const { body } = await call(server, {}, '/accounts');
  return { server, id: String(body.accounts[0].id) };
}

describe('X-Account-Id', () => {
  test('names the account in place of its token', async () => {
    const { server, id } = await serverWithAccount();
    const named = { 'X-Account-Id': id };
    const { body } = await call(server, named, '/requests');
    expect(body.requests).toMatchObject([{ path: '/customers/nobody', status: 404 }]);

    await call(server, named, '/faults', 'post').send({ kind: 'status', status: 503 });
    expect((await clientOf(server, 'app-token').get('/measurements')).status).toBe(503);
    await call(server, named, '/decisions', 'patch').send({ 'repeat-delete': 'gone' });
    expect((await call(server, named, '/openapi.json')).body).toEqual(
      JSON.parse(JSON.stringify(server.openapi('app-token'))),
    );
    expect((await call(server, named, '/account', 'delete')).body).toEqual({ closed: true });
    expect(server.tokens()).toEqual([]);
  });

  test('tells one account from the others', async () => {
    const { server, id } = await serverWithAccount();
    await clientOf(server, 'later').get('/measurements');
    const { accounts } = (await call(server, {}, '/accounts')).body;
    const later = accounts.find((one: { id: string }) => one.id !== id).id;
    for (const [named, path] of [
      [id, '/customers/nobody'],
      [later, '/measurements'],
    ]) {
      const { requests } = (await call(server, { 'X-Account-Id': named }, '/requests')).body;
      expect(requests).toEqual([expect.objectContaining({ path })]);
    }
  });

  test('may come with the token of the same account', async () => {
    const { server, id } = await serverWithAccount();
    const both = { 'X-Account-Id': id, Authorization: 'Bearer app-token' };
    expect((await call(server, both, '/clock')).status).toBe(200);
  });

  test('is refused if it was sent twice', async () => {
    const { server, id } = await serverWithAccount();
    const { status, body } = await call(server, { 'X-Account-Id': `${id}, ${id}` }, '/clock');
    expect([status, body.detail]).toEqual([
      400,
      'The request has 2 values of X-Account-Id; expected at most 1. Send the header once.',
    ]);
  });

  test.each([
    ['/clock', 'or name an open account with X-Account-Id', 'of='],
    ['/requests', 'or add of=server, which needs neither', 'of=all'],
    ['/requests/stream', 'or add of=all or of=server, which need neither', 'for='],
    ['/stubs', 'or add for=server, which needs neither', 'of='],
  ])('is among the ways that a refusal of %s names', async (path, expected, unexpected) => {
    const { server } = await serverWithAccount();
    const { status, body } = await call(server, {}, path);
    expect([status, body.detail]).toEqual([401, expect.stringContaining(expected)]);
    expect(body.detail).toContain('X-Account-Id');
    expect(body.detail).toContain('Authorization: Bearer <token>');
    expect(body.detail).not.toContain(unexpected);
  });

  test('is refused with 400 beside the token of another account, which is not opened', async () => {
    const { server, id } = await serverWithAccount();
    const both = { 'X-Account-Id': id, Authorization: 'Bearer another-token' };
    const { status, body } = await call(server, both, '/reset', 'post');
    expect([status, body.type]).toEqual([400, 'urn:usage-billing-mock:problem:invalid-request']);
    expect(body.detail).toContain('or only one of the headers');
    expect(server.account('app-token').journal.count()).toBe(1);
    expect(server.tokens()).toEqual(['app-token']);
  });

  test('is refused with 404 if no open account has it, and opens none', async () => {
    const { server, id } = await serverWithAccount();
    server.closeAccount('app-token');
    for (const unknown of [id, 'app-token', 'x', '']) {
      const { status, body } = await call(server, { 'X-Account-Id': unknown }, '/clock');
      expect([status, body.type]).toEqual([
        404,
        'urn:usage-billing-mock:problem:unknown-identifier',
      ]);
      expect(body.detail).toContain('GET /__control/accounts');
    }
    expect(server.tokens()).toEqual([]);
  });

  test('names no account for the service, for which it stands for the token until that is closed', async () => {
    const { server, id } = await serverWithAccount();
    const { status } = await request(server.app).get('/measurements').set('X-Account-Id', id);
    expect(status).toBe(401);
    const account = server.account('app-token');
    account.faults.add({ kind: 'status', status: 503 });
    expect((await clientOf(server, id).get('/measurements')).status).toBe(503);
    expect(account.journal.count()).toBe(2);
    expect(JSON.stringify(account.journal.toHar())).not.toContain(id);
    expect(server.tokens()).toEqual(['app-token']);

    const both = { 'X-Account-Id': id, Authorization: `Bearer ${id}` };
    expect((await call(server, both, '/clock')).status).toBe(200);
    const named = { Authorization: `Bearer ${id}` };
    expect((await call(server, named, '/account', 'delete')).body).toEqual({ closed: true });
    expect(server.tokens()).toEqual([]);
  });

  test('may be sent by a page of an allowed origin', async () => {
    const origin = 'http://localhost:5173';
    const server = await createMockServer({ dataset: 'empty', allowedOrigins: [origin] });
    const { headers } = await request(server.app).options('/__control/clock').set({
      Origin: origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-account-id',
    });
    expect(headers['access-control-allow-headers']).toContain('X-Account-Id');
  });
});
