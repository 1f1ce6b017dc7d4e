import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { runCommand, useCommands } from '../support/command.js';
import { sendRaw } from '../support/socket.js';

const server = await createMockServer({ basePath: '/v1' });
const url = await server.start();
afterAll(() => server.stop());

const CONTRACT = '65b000000000000000000001';
const UNKNOWN = 'urn:usage-billing-mock:problem:unknown-path';

let opened = 0;
function openAccount() {
  opened += 1;
  const token = `base-path-${opened}`;
  const headers = { Authorization: `Bearer ${token}` };
  return { account: server.account(token), headers };
}

const get = (path: string, headers = openAccount().headers) =>
  request(server.app).get(path).set(headers);

test('every URL has the base path', async () => {
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(server.url).toBe(url);
});

test('the operations answer below the base path', async () => {
  const { account, headers } = openAccount();
  const responses = [
    await fetch(`${url}/measurements?limit=1`, { headers }),
    await fetch(`${url}/customers/name/Acme%20Corporation`, { headers }),
    await fetch(`${url}/contracts/${CONTRACT}`, { method: 'DELETE', headers }),
    await fetch(`${url}/events/delete-by-refs`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"refs":["x"]}',
    }),
    await fetch(`${url}/measurements?limit=x`, { headers }),
    await fetch(`${url}/measurements`, { method: 'PUT', headers }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 405]);
  expect(account.journal.count({ operationId: 'listMeasurements' })).toBe(2);
});

test.each(['/__control', '/v1/__control'])(
  'the control plane answers below %s',
  async (control) => {
    const { account, headers } = openAccount();
    const call = (path: string) => request(server.app).post(`${control}${path}`).set(headers);
    expect((await get(`${control}/account`, headers)).status).toBe(200);
    expect((await request(server.app).get(`${control}/health`)).status).toBe(200);
    expect((await call('/faults').send({ kind: 'status', status: 503 })).status).toBe(201);
    expect(account.faults.list()).toHaveLength(1);
    const { body } = await get(`${control}/acount`, headers);
    expect(body.detail).toContain(`'${control}/account'?`);
  },
);

test('the document in force has the base path as its server', async () => {
  const { headers } = openAccount();
  const { body } = await get('/__control/openapi.json', headers);
  expect(body.servers).toMatchObject([{ url: '/v1' }]);
  expect(server.openapi('t')).toMatchObject({ servers: [{ url: '/v1' }] });
  const control = await get('/__control/control.openapi.json', headers);
  expect(control.body.servers).toMatchObject([{ url: '/v1/__control' }]);
});

test('without a base path the document has the root as its server', async () => {
  const plain = await createMockServer({ dataset: 'empty' });
  expect(plain.openapi('t')).toMatchObject({ servers: [{ url: '/' }] });
});

describe('a call without the base path', () => {
  test.each(['/measurements?limit=1', '//v1/measurements', '/V1/measurements', '/v1x', '/'])(
    'is refused, and says so: %s',
    async (path) => {
      const { status, body, headers } = await get(path);
      expect([status, body.type]).toEqual([404, UNKNOWN]);
      expect(body.detail.replace(/ A browser is redirected .*/, '')).toBe(
        `There is no path '${path.split('?')[0]}'. The mock answers below /v1: expected a path such as /v1/measurements. Add /v1 to the client's base URL.`,
      );
      expect(headers['access-control-allow-origin']).toBe('*');
    },
  );

  test('is in the journal of the server, as it was sent', async () => {
    server.journal.clear();
    await get('/measurements');
    expect(server.journal.list()).toMatchObject([{ path: '/measurements', status: 404 }]);
  });

  test('gets its preflight, so that a page can read the refusal', async () => {
    const { status, headers } = await request(server.app)
      .options('/measurements')
      .set({ Origin: 'https://page.example', 'Access-Control-Request-Method': 'GET' });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, 'https://page.example']);
  });
});

test('an unknown path below it is named whole, with a call to paste', async () => {
  const { status, body } = await get('/v1/measurments').set('Host', 'mock:1');
  expect([status, body.type]).toEqual([404, UNKNOWN]);
  expect(body.detail).toContain(
    "There is no path '/v1/measurments'. Did you mean '/v1/measurements'?",
  );
  expect(body.detail).toContain("'http://mock:1/v1/measurements?limit=2'");
});

test('the journal has paths without the base path, so that filters go on working', async () => {
  const { account, headers } = openAccount();
  await request(server.app).delete(`/v1/contracts/${CONTRACT}`).set(headers);
  await get('/v1/measurements?limit=1', headers);
  expect(account.journal.list()).toMatchObject([
    { path: `/contracts/${CONTRACT}`, status: 200 },
    { path: '/measurements', query: 'limit=1', parameters: { limit: '1' } },
  ]);
});

describe('a stub, whose path is written without the base path,', () => {
  server.stubs.add({ method: 'POST', path: '/login', body: { user: '{{body.user}}' } });
  const login = (path: string) => request(server.app).post(path).type('form').send('user=robin');

  test('answers below it only', async () => {
    const { status, body } = await login('/v1/login');
    expect([status, body]).toEqual([200, { user: 'robin' }]);
    const refused = await login('/login');
    expect([refused.status, refused.body.detail]).toEqual([
      404,
      "There is no path '/login'. The mock answers below /v1: expected a path such as /v1/measurements. Add /v1 to the client's base URL.",
    ]);
  });

  test('of an account answers below it only, and is matched with its parameters', async () => {
    const { account, headers } = openAccount();
    const body = { id: '{{path.id}}', page: '{{query.page}}' };
    account.stubs.add({ method: 'GET', path: '/invoices/{id}', body });
    account.faults.add({ path: '/invoices/{id}', kind: 'status', status: 503, skip: 1 });
    const response = await get('/v1/invoices/a%20b?page=2', headers);
    expect(response.body).toEqual({ id: 'a b', page: '2' });
    expect((await get('/v1/invoices/7?page=1', headers)).status).toBe(503);
    expect((await get('/invoices/7', headers)).status).toBe(404);
    expect(account.journal.list()).toMatchObject([
      { path: '/invoices/a%20b', stub: { for: 'account' } },
      { path: '/invoices/7', status: 503 },
    ]);
  });

  test('is listed by the 405 of its path', async () => {
    const { status, body, headers } = await get('/v1/login');
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
    expect(body.detail).toContain('/v1/login was called with GET; expected POST (stub 1');
  });

  test('is what the 404 of an unknown path advises, as it is to be written', async () => {
    const { body } = await get('/v1/me');
    expect(body.detail).toContain('POST /__control/stubs with {"method":"GET","path":"/me"}');
  });
});

test('routes answer below the base path only', async () => {
  const routed = await createMockServer({
    dataset: 'empty',
    basePath: '/v1',
    routes: ({ url }) => (url === 'http://localhost/v1/me' ? Response.json({ id: 1 }) : undefined),
  });
  const headers = { Authorization: 'Bearer t' };
  const statuses = [
    await routed.fetch('/v1/me', { headers }),
    await routed.fetch('/me', { headers }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 404]);
});

describe('server.fetch', () => {
  test('sends the path that it is given, as over a socket', async () => {
    const { headers } = openAccount();
    const statuses = [
      await server.fetch('/v1/measurements', { headers }),
      await server.fetch(`${url}/measurements`, { headers }),
      await server.fetch('/measurements', { headers }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 404]);
  });

  test('resolves a relative URL against the URL of the server', async () => {
    const { headers } = openAccount();
    expect((await server.fetch('measurements?limit=1', { headers })).status).toBe(200);
  });
});

test('a proxy may send the whole URL as its target', async () => {
  const { account, headers } = openAccount();
  const head = `Host: mock\r\nAuthorization: ${headers.Authorization}\r\nConnection: close`;
  const target = 'http://mock/v1/measurements';
  expect((await sendRaw(url, `GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`)).status).toBe(200);
  expect(account.journal.list()).toMatchObject([{ path: '/measurements' }]);
});

test('a base path has as many parts as you like', async () => {
  const deep = await createMockServer({ dataset: 'empty', basePath: '/api/billing/v1.0' });
  const headers = { Authorization: 'Bearer t' };
  expect((await deep.fetch('/api/billing/v1.0/measurements', { headers })).status).toBe(200);
  expect((await deep.fetch('/api/billing/v1.0', { headers })).status).toBe(404);
});

test('the app may be mounted in another below a path of its own', async () => {
  const outer = createServer(express().use('/outer', server.app)).listen(0);
  const { port } = outer.address() as AddressInfo;
  const { headers } = openAccount();
  const at = `http://127.0.0.1:${port}/outer`;
  const statuses = await Promise.all(
    ['/v1/measurements', '/v1/__control/account', '/measurements'].map(
      async (path) => (await fetch(`${at}${path}`, { headers })).status,
    ),
  );
  outer.close();
  expect(statuses).toEqual([200, 200, 404]);
});

describe('an invalid base path', () => {
  const EXPECTED = 'expected a path such as /v1, of letters, digits and any of -._~@:+';

  const MISTAKES = [
    ['v1', "Did you mean '/v1'?"],
    ['/v1/', "Did you mean '/v1'?"],
    ['/v1#top', "Did you mean '/v1'?"],
    ['/api//v1', "Did you mean '/api/v1'?"],
    ['/api/../v1', "Did you mean '/api/v1'?"],
    ['http://localhost:4010/v1', "Did you mean '/v1'?"],
    ['/', 'Leave it out to answer at the root.'],
    ['/__control', 'The control plane answers there: choose another path.'],
    ['/%76', ''],
    ['/a b', ''],
  ] as const;

  test.each(MISTAKES)('is refused by the library: %j', async (basePath, advice) => {
    await expect(createMockServer({ basePath })).rejects.toThrow(
      expect.objectContaining({
        name: 'OptionError',
        message: `The option 'basePath' is "${basePath}"; ${EXPECTED}. ${advice}`.trim(),
      }),
    );
  });

  test('is refused by the library if it is no text', async () => {
    await expect(createMockServer({ basePath: 1 as unknown as string })).rejects.toThrow(EXPECTED);
  });

  test('ends the command', async () => {
    const command = runCommand(['--base-path', 'v1']);
    expect(await command.ended()).toBe(2);
    expect(command.stderr()).toBe(
      `usage-billing-mock: --base-path is "v1"; ${EXPECTED}. Did you mean '/v1'?\n`,
    );
  });
});

const start = useCommands('--dataset', 'empty');

test('the command prints the base path in every URL, and logs paths as they were sent', async () => {
  const { command, url: printed } = await start(['--base-path', '/v1']);
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(command.stderr()).toContain(`URL      ${printed}\n`);
  expect(command.stderr()).toContain(`Control  ${printed}/__control\n`);
  expect(command.stderr()).toContain(`'${printed}/measurements?limit=2'`);
  const headers = { Authorization: 'Bearer t' };
  expect((await fetch(`${printed}/measurements`, { headers })).status).toBe(200);
  await command.logged('200 GET /v1/measurements');
});
