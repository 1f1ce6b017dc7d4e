import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { sendRaw } from '../support/socket.js';

const server = await createMockServer();

describe('getCustomerByName', () => {
  test('answers with the customer that bears the name, every field of it', async () => {
    const client = clientOf(server);
    const { status, body } = await client.get('/customers/name/Acme%20Corporation');
    expect(status).toBe(200);
    expect(body).toEqual({
      customer: server.account(client.token).customers.get('65a000000000000000000001'),
    });
  });

  test('says so if a name differs only in case, which a decision allows', async () => {
    const client = clientOf(server);
    const path = '/customers/name/acme%20corporation';
    const { status, body } = await client.get(path);
    expect([status, body.decision]).toEqual([404, 'name-matches']);
    expect(body.detail).toBe(
      "This account has no customer with the name 'acme corporation'. Names must match exactly, including case and spaces; aliases do not count. Send 'Acme Corporation', which differs only in case.",
    );
    server.account(client.token).decisions.change({ 'name-matches': 'case-insensitive' });
    expect((await client.get(path)).status).toBe(200);
    expect((await client.get('/customers/name/nobody')).body).toMatchObject({
      decision: 'unknown-identifier-status',
      detail: expect.stringMatching(/Send one that GET .* lists, or add it\.$/),
    });
  });

  const names = [
    'Acme Corporation',
    'Blue/Green Hosting',
    'Müller & Söhne',
    '北極星 Analytics',
    '100% Juice',
    '%2F',
    '..',
    '🧾 Receipts 👩🏽‍💻',
    'شركة الفواتير',
    "O'Neill + Sons; a@b:c, (d)! *e* $f=g",
    ' padded ',
    'a?b#c&d',
    'name',
    '\u0000\n\t',
    'e\u0301',
    '__proto__',
  ];

  test.each(names)('finds the name %j when it is percent-encoded', async (name) => {
    const client = clientOf(server);
    const { customers } = server.account(client.token);
    if (!customers.list().some((customer) => customer.name === name)) {
      customers.put({ id: 'odd', name });
    }
    const { status, body } = await client.get(`/customers/name/${encodeURIComponent(name)}`);
    expect(status).toBe(200);
    expect(body.customer.name).toBe(name);
  });

  describe('over a socket, where a client encodes as it likes', () => {
    beforeAll(() => server.start());
    afterAll(() => server.stop());

    test.each([
      ['Müller & Söhne', 'M%C3%BCller%20&%20S%C3%B6hne'],
      ['Müller & Söhne', 'M%c3%bcller%20%26%20S%c3%b6hne'],
      ["a+b&c@d:e'(f)", "a+b&c@d:e'(f)"],
      ["a+b&c@d:e'(f)", '%61%2B%62%26c%40d%3Ae%27%28f%29'],
      ['~tilde-', '~tilde-'],
      ['~tilde-', '%7Etilde%2D'],
    ])('the name %j is found as %s', async (name, encoded) => {
      const { token } = clientOf(server);
      const { customers } = server.account(token);
      if (!customers.list().some((customer) => customer.name === name)) {
        customers.put({ id: 'odd', name });
      }
      const { status, body } = await sendRaw(
        server.url,
        `GET /customers/name/${encoded} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      expect(status).toBe(200);
      expect(JSON.parse(body).customer.name).toBe(name);
    });
  });

  test('matches neither another case, nor a trimmed name, nor an alias', async () => {
    const client = clientOf(server);
    for (const name of ['acme corporation', 'Acme%20Corporation%20', 'acme']) {
      const { status, body } = await client.get(`/customers/name/${name}`);
      expect(status).toBe(404);
      expect(body.type).toBe('urn:usage-billing-mock:problem:unknown-identifier');
    }
  });

  test('answers with the oldest of several customers that bear the name', async () => {
    const client = clientOf(server);
    const { customers } = server.account(client.token);
    customers.put({ id: 'young', name: 'Twin', createdAt: '2026-02-01T00:00:00.000Z' });
    customers.put({ id: 'old', name: 'Twin', createdAt: '2026-01-01T00:00:00.000Z' });
    customers.put({ id: 'older?', name: 'Twin', createdAt: '2026-01-01T00:00:00.000Z' });
    const { body } = await client.get('/customers/name/Twin');
    expect(body.customer.id).toBe('old');
  });

  test('knows the oldest to the last digit, whatever the offsets', async () => {
    const client = clientOf(server);
    const { customers } = server.account(client.token);
    const put = (id: string, createdAt: string) => customers.put({ id, name: 'Twin', createdAt });
    put('a', '2026-01-01T00:00:00.0005Z');
    put('b', '2026-01-01T01:00:00.00040+01:00');
    put('c', '2026-01-01T00:00:00.00041Z');
    const { body } = await client.get('/customers/name/Twin');
    expect(body.customer.id).toBe('b');
  });

  test('forgets every name that a customer had before', async () => {
    const client = clientOf(server);
    const { customers } = server.account(client.token);
    for (const name of ['First', 'Second', 'Third']) customers.put({ id: 'renamed', name });
    const found = ['First', 'Second', 'Third'].map((name) => client.get(`/customers/name/${name}`));
    expect((await Promise.all(found)).map(({ status }) => status)).toEqual([404, 404, 200]);
  });

  test('follows a change of the name', async () => {
    const client = clientOf(server);
    const { customers } = server.account(client.token);
    customers.put({ id: '65a000000000000000000001', name: 'Acme Renamed' });
    expect((await client.get('/customers/name/Acme%20Corporation')).status).toBe(404);
    expect((await client.get('/customers/name/Acme%20Renamed')).status).toBe(200);
  });
});
