import { readFileSync } from 'node:fs';
import request from 'supertest';
import { parse } from 'yaml';
import { createMockServer, type MockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { useCommands } from '../support/command.js';

const TOKEN = 'control-token-of-the-test';

const dataset = 'empty';
const open = await createMockServer({ dataset, allowedHosts: ['mock', 'billing.example'] });
const guarded = await createMockServer({ dataset, controlToken: TOKEN });
const bare = await createMockServer({ dataset, control: false });

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options' | 'head';

/** Calls a path with these header fields. */
function send(server: MockServer, method: Method, path: string, headers: object = {}) {
  return request(server.app)
    [method](path)
    .set({ Authorization: 'Bearer t', ...headers });
}

const getAccount = (server: MockServer, headers: object) =>
  send(server, 'get', '/__control/account', headers);

const HEALTH = ['/__control/health', '/__control/ready'];
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
/** Paths that answer every caller. */
const PROBES = ['/__control/', ...HEALTH];

/** Every operation of the control plane except health checks, and other paths below it. */
const CALLS: [Method, string][] = [
  ...Object.entries<object>(parse(readFileSync('control.openapi.yaml', 'utf8')).paths)
    .map(([path, item]) => [`/__control${path.replaceAll(/\{.*?\}/g, '1')}`, item] as const)
    .filter(([path]) => !PROBES.includes(path))
    .flatMap(([path, item]) =>
      Object.keys(item).map((method): [Method, string] => [method as Method, path]),
    ),
  ['head', '/__control/account'],
  ['options', '/__control/account'],
  ['get', '/__control/nothing-of-the-kind'],
  ['post', '/__control'],
  ['post', '/__control/'],
  ['post', '/__control/health'],
  ['options', '/__control/health'],
];

/** Everything that the control plane could change of the account. */
function stateOf(server: MockServer, token: string) {
  const account = server.account(token);
  return {
    fingerprint: account.fingerprint(),
    faults: account.faults.list(),
    requests: account.journal.count(),
    isFrozen: account.clock.isFrozen,
    decisions: account.decisions.inForce,
  };
}

const FORBIDDEN = 'urn:usage-billing-mock:problem:forbidden';

describe('the control plane on a loopback address', () => {
  test.each([
    ['a foreign Host', { Host: 'rebound.example' }, "the Host 'rebound.example'"],
    ['a foreign Origin', { Origin: 'https://page.example' }, "a page at 'https://page.example'"],
  ])(
    'refuses %s on every path and method, and grants a page nothing',
    async (_words, headers, detail) => {
      for (const [method, path] of CALLS) {
        const response = await send(open, method, path, headers);
        expect([method, path, response.status]).toEqual([method, path, 403]);
        expect(
          Object.keys(response.headers).filter((name) => name.startsWith('access-control')),
        ).toEqual([]);
        if (method === 'head') continue;
        expect(response.headers['content-type']).toBe('application/problem+json');
        expect(JSON.parse(response.text)).toMatchObject({
          type: FORBIDDEN,
          status: 403,
          detail: expect.stringContaining(detail),
        });
      }
    },
  );

  test('changes nothing by a request that it refuses', async () => {
    const { token } = clientOf(open);
    const account = open.account(token);
    account.faults.add({ kind: 'status', status: 503 });
    account.clock.freeze();
    account.customers.put({ id: '1' });
    const id = account.snapshot('1');
    const before = stateOf(open, token);
    const authorized = { Authorization: `Bearer ${token}` };
    const bodies: Record<string, object> = {
      '/__control/faults': { kind: 'reset' },
      '/__control/clock': { real: true },
      '/__control/decisions': { 'repeat-delete': 'gone' },
    };
    for (const [method, path] of CALLS) {
      const test = send(open, method, path, { ...authorized, Host: 'rebound.example' });
      const isWithBody = ['post', 'put', 'patch'].includes(method);
      await (isWithBody ? test.send(bodies[path] ?? {}) : test);
    }
    expect(stateOf(open, token)).toEqual(before);
    account.restore(id);
    expect(open.account(token)).toBe(account);
  });

  test.each([
    '127.0.0.1.example',
    'localhost.example',
    'notlocalhost',
    'localhost@page.example',
    '[::1].example',
    '[::2]:4010',
    '128.0.0.1',
    '0.0.0.0:4010',
    '10.0.0.7:4010',
    'mock.example',
    'notmock:4010',
    'example',
    '',
  ])('refuses the Host %j', async (host) => {
    const { status, body } = await getAccount(open, { Host: host });
    expect([status, body.type]).toEqual([403, FORBIDDEN]);
    const [received, fix] = host ? [`the Host '${host}'`, '--allowed-host'] : ['no Host', 'Send'];
    expect(body.detail).toContain(`The request has ${received}; expected localhost`);
    expect(body.detail).toContain(fix);
  });

  test.each([
    'localhost',
    'localhost:4010',
    'LOCALHOST:4010',
    '127.0.0.1',
    '127.0.0.1:4010',
    '127.8.8.8:1',
    '[::1]',
    '[::1]:4010',
    'mock',
    'mock:4010',
    'MOCK:4010',
    'billing.example:8080',
  ])('lets the Host %s in', async (host) => {
    expect((await getAccount(open, { Host: host })).status).toBe(200);
  });

  test.each([
    'https://page.example',
    'http://page.example',
    'null',
    '',
    'http://localhost',
    'http://localhost:4011',
    'https://localhost:4010',
    'http://127.0.0.1:4010',
    'http://localhost:4010.example',
    'http://localhost:4010/',
    'file://',
  ])('refuses the Origin %j under another address', async (origin) => {
    const { status, body } = await getAccount(open, { Host: 'localhost:4010', Origin: origin });
    expect([status, body.type]).toEqual([403, FORBIDDEN]);
  });

  test('lets a page of its own address in, without a word of other origins', async () => {
    const own = { Host: 'localhost:4010', Origin: 'http://localhost:4010' };
    const { status, headers } = await getAccount(open, own);
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'grants a preflight for %s nothing',
    async (asked) => {
      const preflight = {
        Origin: 'https://page.example',
        'Access-Control-Request-Method': asked,
        'Access-Control-Request-Headers': 'authorization,x-control-token',
      };
      for (const server of [open, guarded]) {
        for (const path of [
          '/__control/faults',
          '/__control/customers/1',
          '/__control/health',
          '/__control/no',
        ]) {
          const { status, headers } = await send(server, 'options', path, preflight);
          expect(status).toBe(403);
          expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual(
            [],
          );
        }
      }
    },
  );

  test.each(['/measurements', '/measurements?limit=1'])(
    'is alone in that: a page of another origin may call %s under any Host',
    async (path) => {
      const headers = { Host: 'rebound.example', Origin: 'https://page.example' };
      const response = await send(open, 'get', path, headers);
      expect(response.status).toBe(200);
      expect(response.headers['access-control-allow-origin']).toBe('https://page.example');
    },
  );

  test('has no token, and takes one that is sent for nothing', async () => {
    expect(open.controlToken).toBeUndefined();
    expect((await getAccount(open, { 'X-Control-Token': 'any' })).status).toBe(200);
    const headers = { 'X-Control-Token': 'any', Host: 'rebound.example' };
    expect((await getAccount(open, headers)).status).toBe(403);
  });

  test('tells whom it refuses by which names it may be called', async () => {
    const { body } = await getAccount(open, { Host: 'other.example' });
    expect(body.detail).toContain('expected localhost, mock, billing.example. Allow');
  });

  test.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 200],
    ['none', 200],
  ])('sees from %s what a page shows as an image: %d', async (site, expected) => {
    const fields = { Host: 'localhost:4010', 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'no-cors' };
    const { status, body } = await send(open, 'get', '/__control/coverage', fields);
    expect(status).toBe(expected);
    if (status === 403) expect(body.detail).toContain('expected the mode cors');
    const opened = { ...fields, 'Sec-Fetch-Mode': 'navigate' };
    expect((await send(open, 'get', '/__control/coverage', opened)).status).toBe(200);
  });

  test('refuses a foreign Origin under an allowed name too', async () => {
    const origins = ['https://page.example', 'null', 'http://billing.example'];
    for (const origin of origins) {
      const headers = { Host: 'mock:4010', Origin: origin };
      expect((await getAccount(open, headers)).status).toBe(403);
    }
    const own = { Host: 'mock:4010', Origin: 'http://mock:4010' };
    expect((await getAccount(open, own)).status).toBe(200);
  });

  test.each([[['http://mock']], [['mock:4010']], [['']], [['mock,other']], [['a b']], ['mock']])(
    'cannot be told the names %j',
    async (allowedHosts) => {
      await expect(createMockServer({ allowedHosts: allowedHosts as string[] })).rejects.toThrow(
        "The option 'allowedHosts' is",
      );
    },
  );
});

describe('where to begin, health and ready', () => {
  test.each(
    PROBES.flatMap((path) =>
      (['get', 'head'] as const).flatMap((method) =>
        [open, guarded].map((server) => [method, path, server] as const),
      ),
    ),
  )('pass %s %s with any Host and Origin and without any token', async (method, path, server) => {
    const { status, headers, text } = await request(server.app)
      [method](path)
      .set({ Host: 'pod-7.cluster.example:80', Origin: 'https://page.example' });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    if (method === 'get' && HEALTH.includes(path))
      expect(JSON.parse(text)).toEqual({ status: 'ok', version });
  });
});

describe('the control plane with a token', () => {
  test('refuses a wrong one on every path and method, and changes nothing', async () => {
    const { token } = clientOf(guarded);
    const account = guarded.account(token);
    account.faults.add({ kind: 'status', status: 503 });
    const before = stateOf(guarded, token);
    for (const [method, path] of CALLS) {
      const headers = { Authorization: `Bearer ${token}`, 'X-Control-Token': 'wrong' };
      const response = await send(guarded, method, path, headers);
      expect([method, path, response.status]).toEqual([method, path, 403]);
      if (method === 'head') continue;
      expect(JSON.parse(response.text)).toMatchObject({
        type: FORBIDDEN,
        detail: expect.stringContaining('The X-Control-Token is wrong'),
      });
      expect(response.text).not.toContain(TOKEN);
    }
    expect(stateOf(guarded, token)).toEqual(before);
    expect(guarded.account(token)).toBe(account);
  });

  test('refuses a call without one', async () => {
    const { status, body } = await getAccount(guarded, {});
    expect(status).toBe(403);
    expect(body.detail).toContain('No X-Control-Token was received');
  });

  test.each([
    ['as long, with another end', `${TOKEN.slice(0, -1)}x`],
    ['as long, with another beginning', `x${TOKEN.slice(1)}`],
    ['its beginning', TOKEN.slice(0, -1)],
    ['longer', `${TOKEN}x`],
    ['in capitals', TOKEN.toUpperCase()],
    ['sent twice', `${TOKEN}, ${TOKEN}`],
    ['with a scheme', `Bearer ${TOKEN}`],
    ['empty', ''],
  ])('refuses one that is %s', async (_words, token) => {
    expect((await getAccount(guarded, { 'X-Control-Token': token })).status).toBe(403);
  });

  test('does not take it in the place of the bearer token, or the other way round', async () => {
    const swapped = { Authorization: `Bearer ${TOKEN}` };
    expect((await getAccount(guarded, swapped)).status).toBe(403);
    const anonymous = await request(guarded.app)
      .get('/__control/account')
      .set('X-Control-Token', TOKEN);
    expect(anonymous.status).toBe(401);
  });

  test.each([
    ['from anywhere', {}],
    ['under a foreign Host', { Host: 'rebound.example' }],
    ['from a page on another origin', { Origin: 'https://page.example' }],
    ['from a page without an origin', { Host: 'other.example', Origin: 'null' }],
  ])('lets the right one in %s', async (_words, headers) => {
    const response = await getAccount(guarded, { ...headers, 'X-Control-Token': TOKEN });
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    expect(guarded.controlToken).toBe(TOKEN);
  });

  test('asks nothing of the service itself', async () => {
    expect((await clientOf(guarded).get('/measurements')).status).toBe(200);
  });

  test('opens no account for a request that it refuses', async () => {
    const full = await createMockServer({ dataset, controlToken: TOKEN, maxAccounts: 1 });
    await send(full, 'get', '/__control/account', { 'X-Control-Token': 'wrong' });
    expect((await clientOf(full, 'other').get('/measurements')).status).toBe(200);
  });
});

describe('the control token', () => {
  test('is made for a server that others can reach, and is another every time', async () => {
    const host = '0.0.0.0';
    const [one, other] = [
      await createMockServer({ dataset, host }),
      await createMockServer({ dataset, host }),
    ];
    expect(one.controlToken).not.toBe(other.controlToken);
    const local = { Host: 'localhost' };
    expect((await getAccount(one, local)).status).toBe(403);
    const foreign = { ...local, 'X-Control-Token': String(other.controlToken) };
    expect((await getAccount(one, foreign)).status).toBe(403);
    const right = { ...local, 'X-Control-Token': String(one.controlToken) };
    expect((await getAccount(one, right)).status).toBe(200);
  });

  test.each(['0.0.0.0', '::', '192.0.2.7', '127.0.0.1.example', 'mock.example'])(
    'is made when the host is %s',
    async (host) => {
      expect((await createMockServer({ dataset, host })).controlToken).toMatch(/^[\w-]{20,}$/);
    },
  );

  test.each(['127.0.0.1', 'localhost', '::1', '127.0.0.9'])(
    'is not made when the host is %s',
    async (host) => {
      expect((await createMockServer({ dataset, host })).controlToken).toBeUndefined();
    },
  );

  test.each(['0.0.0.0', '127.0.0.1'])(
    'is the one that was given when the host is %s',
    async (host) => {
      const { controlToken } = await createMockServer({ dataset, host, controlToken: TOKEN });
      expect(controlToken).toBe(TOKEN);
    },
  );
});

describe('a server without the control plane', () => {
  test.each([
    ...CALLS.filter(([method]) => method !== 'options'),
    ...PROBES.map((path): [Method, string] => ['get', path]),
  ])('knows no %s %s', async (method, path) => {
    const response = await send(bare, method, path);
    expect(response.status).toBe(404);
    if (method === 'head') return;
    expect(JSON.parse(response.text).type).toBe('urn:usage-billing-mock:problem:unknown-path');
  });

  test('answers the service all the same', async () => {
    expect((await clientOf(bare).get('/measurements')).status).toBe(200);
  });
});

const start = useCommands('--dataset', dataset);

const asAccount = (headers: object = {}) => ({
  headers: { Authorization: 'Bearer secret-bearer', ...headers },
});

describe('the command', () => {
  test('prints the token that it makes for 0.0.0.0, also in the address of the page, and demands it', async () => {
    const { command, url } = await start(['--host', '0.0.0.0']);
    await command.logged('Stop with Ctrl+C.');
    const [, token = ''] = /X-Control-Token: (\S+)/.exec(command.stderr()) ?? [];
    expect(token).toMatch(/^[\w-]{20,}$/);
    expect(command.stderr()).toContain(`${url}/__control/ui#token=${token}`);
    expect(command.stdout()).not.toContain(token);
    const account = `${url}/__control/account`;
    expect((await fetch(account, asAccount())).status).toBe(403);
    expect((await fetch(account, asAccount({ 'X-Control-Token': token }))).status).toBe(200);
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  });

  test('takes names from their variable', async () => {
    const env = { USAGE_BILLING_MOCK_ALLOWED_HOSTS: 'mock,billing.example' };
    const { command, url } = await start([], env);
    expect(command.stderr()).not.toContain('X-Control-Token');
    const statusUnder = async (host: string) => {
      const headers = { Host: host, Authorization: 'Bearer t' };
      return (await request(url).get('/__control/account').set(headers)).status;
    };
    expect(await statusUnder('mock:4010')).toBe(200);
    expect(await statusUnder('billing.example')).toBe(200);
    expect(await statusUnder('other.example')).toBe(403);
  });

  test('leaves the control plane out by its flag or its variable, on any host', async () => {
    const started = await Promise.all([
      start(['--no-control']),
      start(['--host', '0.0.0.0'], { USAGE_BILLING_MOCK_CONTROL: 'false' }),
    ]);
    for (const { command, url } of started) {
      expect(command.stderr()).not.toContain('X-Control-Token');
      for (const path of ['account', 'health', 'ready']) {
        expect((await fetch(`${url}/__control/${path}`, asAccount())).status).toBe(404);
      }
      expect((await fetch(`${url}/measurements`, asAccount())).status).toBe(200);
    }
  });

  test('writes no token of either kind into its log or a response', async () => {
    const args = ['--control-token', TOKEN, '--log-level', 'trace', '--log-format', 'json'];
    const { command, url } = await start(args);
    const post = { method: 'POST', body: '{"kind":"reset","times":0}' };
    const right = { 'X-Control-Token': TOKEN, 'Content-Type': 'application/json' };
    const responses = [
      await fetch(`${url}/__control/account`, asAccount(right)),
      await fetch(`${url}/__control/account`, asAccount({ 'X-Control-Token': 'secret-wrong' })),
      await fetch(`${url}/__control/faults`, { ...post, ...asAccount(right) }),
      await fetch(`${url}/__control/nothing`, asAccount(right)),
      await fetch(`${url}/__control/account`, {
        headers: { ...right, Authorization: 'secret-bare' },
      }),
      await fetch(`${url}/measurements?limit=0`, asAccount(right)),
      await fetch(`${url}/measurements`, { headers: { Authorization: 'Bearer secret "quoted"' } }),
      await fetch(`${url}/__control/requests`, asAccount(right)),
      await fetch(`${url}/__control/account`, { ...asAccount(right), method: 'DELETE' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([
      200, 403, 400, 404, 401, 400, 401, 200, 200,
    ]);
    const bodies = await Promise.all(responses.map((response) => response.text()));
    command.kill('SIGTERM');
    await command.ended();
    const log = command.stderr();
    const lines = log
      .trim()
      .split('\n')
      .filter((line) => !line.includes('listens on'));
    const answered = lines.filter((line) => JSON.parse(line).level === 'info');
    expect(answered).toHaveLength(responses.length);
    expect(lines.length).toBeGreaterThan(responses.length);
    for (const text of [log, ...bodies]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toMatch(/secret/);
    }
  });
});
