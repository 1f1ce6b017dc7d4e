// A client that logs in, keeps its token until it expires, and asks for what no operation has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMockServer } from 'usage-billing-mock';

const server = await createMockServer({
  stubs: [
    { method: 'POST', path: '/login', body: { token: '{{token body.user}}' } },
    {
      method: 'GET',
      path: '/session',
      responses: [{ body: { user: 'robin' } }, { status: 401 }, { body: { user: 'robin' } }],
    },
    { method: 'GET', path: '/customers/{id}/contracts', body: [{ customer: '{{path.id}}' }] },
    { method: 'GET', path: '/customers/{id}/{part}', body: '{{path.part}}' },
  ],
});

const headers = { Authorization: 'Bearer stubs', 'Content-Type': 'application/json' };
const get = (path) => server.fetch(path, { headers });

test('a login gives a token with times that are not over', async () => {
  const init = { method: 'POST', headers, body: JSON.stringify({ user: 'robin' }) };
  const { token } = await (await server.fetch('/login', init)).json();
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
  assert.deepEqual(claims, { sub: 'robin', iat: 1_577_836_800, exp: 4_102_444_800 });
});

test('a session expires and is renewed', async () => {
  const statuses = [];
  for (const path of Array(4).fill('/session')) statuses.push((await get(path)).status);
  assert.deepEqual(statuses, [200, 401, 200, 200]);
});

test('the contracts of a customer lie below its path', async () => {
  assert.deepEqual(await (await get('/customers/a/contracts')).json(), [{ customer: 'a' }]);
  assert.equal(await (await get('/customers/a/invoices')).json(), 'invoices');
  assert.equal((await get('/customers/name/contracts')).status, 404);
});
