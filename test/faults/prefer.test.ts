import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { sendRaw } from '../support/socket.js';

const server = await createMockServer({ dataset: 'empty' });
beforeAll(() => server.start());
afterAll(() => server.stop());

const CONTRACT = '/contracts/k1';

function openAccount() {
  const client = clientOf(server);
  const account = server.account(client.token);
  account.customers.put({ id: 'c1', name: 'Initech' });
  account.contracts.put({ id: 'k1' });
  return { client, account };
}

describe('Prefer: code', () => {
  test('forces a documented error, which says so, and changes nothing', async () => {
    const { client, account } = openAccount();
    const before = account.fingerprint();
    const { status, headers, body } = await client.delete(CONTRACT).set('Prefer', 'code=404');
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'preference-applied': 'code=404',
      'content-type': 'application/problem+json',
    });
    expect(body).toEqual({
      type: 'urn:usage-billing-mock:problem:preferred-error',
      title: 'Error requested by the client',
      status: 404,
      detail:
        "The request has 'Prefer: code=404', and the operation did not run. Remove the header to call it.",
    });
    expect(account.fingerprint()).toBe(before);
    expect((await client.delete(CONTRACT)).status).toBe(200);
  });

  test.each([
    ['getCustomer', 'get', '/customers/c1', 404],
    ['getCustomerByName', 'get', '/customers/name/Initech', 500],
    ['getCustomer under HEAD', 'head', '/customers/c1', 503],
    ['listMeasurements', 'get', '/measurements', 429],
    ['listMeasurements of a limit that is out of bounds', 'get', '/measurements?limit=0', 401],
    ['deleteContract', 'delete', CONTRACT, 400],
  ] as const)('forces the error upon %s', async (_words, method, path, code) => {
    const { client } = openAccount();
    const { status, headers } = await client[method](path).set('Prefer', `code=${code}`);
    expect(status).toBe(code);
    expect(headers['preference-applied']).toBe(`code=${code}`);
  });

  test('forces an error of an operation with a body before it reads the body', async () => {
    const { client, account } = openAccount();
    account.events.put({ id: 'e', ref: 'r' });
    const { status } = await client.deleteEvents(['r']).set('Prefer', 'code=413');
    expect(status).toBe(413);
    expect(account.events.get('e')).not.toHaveProperty('deletedAt');
    expect((await client.postRefs('nonsense').set('Prefer', 'code=415')).status).toBe(415);
  });

  test.each([
    'code="404"',
    'CODE=404',
    'code = 404',
    'code=404; reason=test',
    'respond-async, code=404',
    'respond-async,code=404,wait=10',
    'return=minimal; foo="some parameter", code="404"',
    'x=";,\\"", code=404',
    'code=404, code=401',
    ', ,code=404',
    'wait=10,,code=404,',
  ])('is read as RFC 7240 has it: %s', async (prefer) => {
    const { client } = openAccount();
    const { status, headers } = await client.delete(CONTRACT).set('Prefer', prefer);
    expect(status).toBe(404);
    expect(headers['preference-applied']).toBe('code=404');
  });

  test.each([
    ['Prefer: respond-async', 'prefer: code=404'],
    ['PREFER: wait=10', 'Prefer: return=minimal', 'Prefer: code="404"'],
  ])('is found in header lines %s and %s', async (...lines) => {
    const { client } = openAccount();
    const fields = ['Host: x', 'Connection: close', `Authorization: Bearer ${client.token}`];
    const { status, headers } = await sendRaw(
      server.url,
      `DELETE ${CONTRACT} HTTP/1.1\r\n${[...fields, ...lines].join('\r\n')}\r\n\r\n`,
    );
    expect(status).toBe(404);
    expect(headers.get('preference-applied')).toBe('code=404');
  });

  test.each([
    ['an error that the operation does not have', 'code=409', '409'],
    ['an error that another operation has', 'code=415', '415'],
    ['such an error before one that it has', 'code=418, code=404', '418'],
    ['a success that the operation does not have', 'code=201', '201'],
    ['too many digits', 'code=4040', '4040'],
    ['single quotes', "code='404'", "'404'"],
    ['the name of a property', 'code=toString', 'toString'],
    ['quotes within quotes', 'code="4\\"4"', '4\\"4'],
    ['no value', 'code', ''],
    ['an empty value', 'code=""', ''],
  ])('is refused with %s, and the operation does not run: %s', async (_words, prefer, received) => {
    const { client, account } = openAccount();
    account.faults.add({ kind: 'reset' });
    const { status, headers, body } = await client.delete(CONTRACT).set('Prefer', prefer);
    expect(status).toBe(400);
    expect(headers).not.toHaveProperty('preference-applied');
    expect(body).toEqual({
      type: 'urn:usage-billing-mock:problem:invalid-request',
      title: 'Invalid request',
      status: 400,
      detail: `The request has 'Prefer: code=${received}', which deleteContract does not document; expected 400, 401, 404, 429, 500 or 503. The operation did not run. Correct the code, or remove the header.`,
      errors: [
        {
          in: 'header',
          pointer: '/prefer',
          expected: 'code=400, 401, 404, 429, 500 or 503',
          received: `code=${received}`,
          detail: 'Correct the code, or remove the header.',
        },
      ],
    });
    expect(account.contracts.get('k1')).not.toHaveProperty('deletedAt');
    expect(account.faults.list()).toMatchObject([{ seen: 0 }]);
  });

  test('is held against the errors that the decisions give the operation', async () => {
    const { client, account } = openAccount();
    account.decisions.change({ 'repeat-delete': 'conflict', 'invalid-request-status': 422 });
    const conflict = await client.delete(CONTRACT).set('Prefer', 'code=409');
    expect(conflict.headers['preference-applied']).toBe('code=409');
    const refused = await client.delete(CONTRACT).set('Prefer', 'code=400');
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toContain('expected 401, 404, 409, 422, 429, 500 or 503');
  });

  test.each([
    ['its success', 'code=200'],
    ['its success before an error', 'code=200, code=404'],
    ['a longer name', 'xcode=404'],
    ['a name that ends so', 'x-code=404'],
    ['a parameter of another preference', 'respond-async; code=404'],
    ['another preference', 'respond-async'],
    ['quotes around it', 'x="a, code=404, b"'],
    ['nothing', ''],
  ])(
    'lets the operation run with %s, and nothing says that it was applied: %s',
    async (_words, prefer) => {
      const { client, account } = openAccount();
      const { status, headers } = await client.delete(CONTRACT).set('Prefer', prefer);
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('preference-applied');
      expect(account.contracts.get('k1')).toHaveProperty('deletedAt');
    },
  );

  test.each([
    ['code=401', 'www-authenticate'],
    ['code=429', 'retry-after'],
  ])('%s has the header field that goes with it', async (prefer, field) => {
    const { headers } = await openAccount().client.get('/measurements').set('Prefer', prefer);
    expect(headers[field]).toEqual(expect.any(String));
  });

  test('takes the shape that the decisions give to errors', async () => {
    const { client, account } = openAccount();
    account.decisions.change({ 'error-body': 'message' });
    const { status, body } = await client.get('/measurements').set('Prefer', 'code=500');
    expect(status).toBe(500);
    expect(body).toEqual({ message: expect.stringContaining('Prefer: code=500') });
  });

  test('does not reach the control plane, a missing token or an unknown path', async () => {
    const { client } = openAccount();
    const control = await client.get('/__control/account').set('Prefer', 'code=500');
    const anonymous = await client
      .get('/measurements')
      .set({ Authorization: 'none', Prefer: 'code=500' });
    const unknown = await client.get('/invoices').set('Prefer', 'code=500');
    const responses = [control, anonymous, unknown];
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 404]);
    for (const { headers } of responses) expect(headers).not.toHaveProperty('preference-applied');
  });

  test('uses up no fault', async () => {
    const { client, account } = openAccount();
    account.faults.add({ kind: 'status', status: 418 });
    account.faults.add({ kind: 'status', status: 418, phase: 'after' });
    expect((await client.get('/measurements').set('Prefer', 'code=500')).status).toBe(500);
    expect(account.faults.list()).toMatchObject([{ seen: 0 }, { seen: 0 }]);
    expect((await client.get('/measurements')).status).toBe(418);
  });

  test('is shown by the journal and explained', async () => {
    const { client, account } = openAccount();
    await client.delete(CONTRACT).set('Prefer', 'code=404');
    expect(account.journal.list()).toMatchObject([
      {
        operationId: 'deleteContract',
        headers: { prefer: 'code=404' },
        status: 404,
        problem: 'preferred-error',
        detail: expect.stringContaining("'Prefer: code=404'"),
        outcome: 'answered',
      },
    ]);
    const { body } = await client.get('/__control/requests/1/explain');
    expect(body.explanation.join('\n')).toContain('refused with 404 (preferred-error)');
  });
});
