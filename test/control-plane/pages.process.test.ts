import request from 'supertest';
import { createMockServer, type MockServer } from '../../src/index.js';
import { runCommand, useCommands } from '../support/command.js';

const PAGE = 'http://localhost:5173';
const OTHER = 'https://page.example';
const TOKEN = 'control-token';

const dataset = 'empty';
const open = await createMockServer({ dataset, allowedOrigins: [PAGE, 'https://app.example'] });
const guarded = await createMockServer({
  dataset,
  allowedOrigins: [PAGE],
  controlToken: TOKEN,
  host: '0.0.0.0',
});

/** The header fields of CORS, and Vary. */
function grantsOf(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(access-control-|vary$)/.test(name)),
  );
}

const GRANTED = {
  'access-control-allow-origin': PAGE,
  'access-control-expose-headers': 'WWW-Authenticate,Retry-After,Allow,X-Control-Plane',
  vary: 'Origin',
};

const PREFLIGHT = {
  Origin: PAGE,
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization,content-type,x-control-token',
};

const preflight = (server: MockServer, path: string, headers: object = {}) =>
  request(server.app)
    .options(path)
    .set({ ...PREFLIGHT, ...headers });

describe('a page of an allowed origin', () => {
  test.each([
    ['without a control token', open],
    ['with a control token, which a preflight cannot have', guarded],
  ])('gets a preflight that allows its calls, %s', async (_words, server) => {
    for (const path of ['/faults', '/customers/1', '/health', '/unknown']) {
      const { status, headers } = await preflight(server, `/__control${path}`);
      expect([path, status, grantsOf(headers)]).toEqual([
        path,
        204,
        {
          ...GRANTED,
          'access-control-allow-headers': 'Authorization,Content-Type,X-Control-Token,X-Account-Id',
          'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
          'access-control-max-age': '600',
        },
      ]);
    }
  });

  test.each([
    ['a response', 'get', '/account', { Authorization: 'Bearer t' }, 200],
    ['the response to a probe', 'get', '/health', {}, 200],
    ['an unknown path', 'get', '/unknown', {}, 404],
    ['a wrong method', 'put', '/reset', {}, 405],
    ['a missing bearer token', 'get', '/account', {}, 401],
    ['a body that is no JSON', 'post', '/faults', { Authorization: 'Bearer t' }, 400],
    ['a foreign Host', 'get', '/account', { Host: 'rebound.example' }, 403],
  ] as const)('may read %s', async (_words, method, path, headers, expected) => {
    const call = request(open.app)[method](`/__control${path}`);
    const sent = call.set({ Origin: PAGE, 'Content-Type': 'application/json', ...headers });
    const response = await (method === 'post' ? sent.send('{') : sent);
    expect([response.status, grantsOf(response.headers)]).toEqual([expected, GRANTED]);
  });

  test('still has to send the control token where one is required', async () => {
    const call = (headers: object) =>
      request(guarded.app)
        .get('/__control/account')
        .set({ Origin: PAGE, Authorization: 'Bearer t', ...headers });
    const refused = await call({});
    expect([refused.status, grantsOf(refused.headers)]).toEqual([403, GRANTED]);
    expect(refused.body.detail).toContain('No X-Control-Token was received');
    const answered = await call({ 'X-Control-Token': TOKEN });
    expect([answered.status, grantsOf(answered.headers)]).toEqual([200, GRANTED]);
  });
});

describe('a page of any other origin', () => {
  test.each([
    OTHER,
    'https://localhost:5173',
    'http://localhost:5174',
    'http://localhost',
    'http://LOCALHOST:5173',
    'http://localhost:5173.example',
    'null',
  ])('is refused, and granted nothing: %s', async (origin) => {
    for (const server of [open, guarded]) {
      const responses = [
        await preflight(server, '/__control/faults', { Origin: origin }),
        await request(server.app).get('/__control/account').set('Origin', origin),
      ];
      expect(responses.map(({ status, headers }) => [status, grantsOf(headers)])).toEqual([
        [403, { vary: 'Origin' }],
        [403, { vary: 'Origin' }],
      ]);
    }
  });

  test('cannot read a response that the control token lets it have', async () => {
    const response = await request(guarded.app)
      .get('/__control/account')
      .set({ Origin: OTHER, Authorization: 'Bearer t', 'X-Control-Token': TOKEN });
    expect([response.status, grantsOf(response.headers)]).toEqual([200, { vary: 'Origin' }]);
  });

  test('is told the flag that would allow it, in the refusal of its preflight too', async () => {
    for (const server of [open, guarded]) {
      const { text } = await preflight(server, '/__control/faults', { Origin: OTHER });
      expect(JSON.parse(text).detail).toBe(
        `The request comes from a page at '${OTHER}'; expected no Origin or an allowed one. Allow it with --allowed-origin ${OTHER} (allowedOrigins in the library).`,
      );
    }
  });

  test.each(['null', 'file://', 'http://a.example;id'])(
    'is told that there is nothing to allow: %s',
    async (origin) => {
      const response = await request(open.app).get('/__control/account').set('Origin', origin);
      expect(response.body.detail).toContain(
        'Such a page cannot be allowed: serve it over HTTP or HTTPS.',
      );
    },
  );
});

describe('an origin that cannot be allowed', () => {
  const EXPECTED =
    'expected origins such as http://localhost:5173, with only scheme, host and port';

  const MISTAKES = [
    ['*', "'*' would let every page that you open change the mock: name each origin."],
    [
      'null',
      "'null' is the origin of every local file and sandboxed frame: serve the page over HTTP or HTTPS.",
    ],
    ['http://localhost:5173/', "Did you mean 'http://localhost:5173'?"],
    ['http://localhost:5173/app?x', "Did you mean 'http://localhost:5173'?"],
    ['localhost:5173', "Did you mean 'http://localhost:5173'?"],
    ['HTTP://LOCALHOST:80', "Did you mean 'http://localhost'?"],
    ['https://app.example:443', "Did you mean 'https://app.example'?"],
    ['https://user@app.example', "Did you mean 'https://app.example'?"],
    ['http://', ''],
    ['http://*.example', ''],
  ] as const;

  test.each(MISTAKES)('is refused by the library: %s', async (origin, advice) => {
    const sentence = `The option 'allowedOrigins' is ["${origin}"]; ${EXPECTED}. ${advice}`.trim();
    await expect(createMockServer({ allowedOrigins: [origin] })).rejects.toThrow(
      expect.objectContaining({ name: 'OptionError', message: sentence }),
    );
  });

  test.each(['', [''], [7], 'http://localhost:5173'])('is refused: %j', async (allowedOrigins) => {
    const given = { allowedOrigins: allowedOrigins as string[] };
    await expect(createMockServer(given)).rejects.toThrow("The option 'allowedOrigins' is");
  });

  test('ends the command', async () => {
    const [[origin, advice]] = MISTAKES;
    const command = runCommand(['--allowed-origin', origin]);
    expect(await command.ended()).toBe(2);
    expect(command.stderr()).toBe(
      `usage-billing-mock: --allowed-origin is "${origin}"; ${EXPECTED}. ${advice}\n`,
    );
  });
});

test.each(['chrome-extension://abcdefgh', 'capacitor://localhost', 'http://[::1]:5173'])(
  'an origin may have another scheme or an address: %s',
  async (origin) => {
    const server = await createMockServer({ dataset, allowedOrigins: [origin] });
    const { headers } = await preflight(server, '/__control/faults', { Origin: origin });
    expect(headers['access-control-allow-origin']).toBe(origin);
  },
);

const start = useCommands('--dataset', dataset);

test('the command allows origins and hosts by flags that may be repeated', async () => {
  const { command, url } = await start([
    ...['--allowed-origin', PAGE, '--allowed-origin', OTHER],
    ...['--allowed-host', 'mock', '--allowed-host', 'billing.example'],
    ...['--log-level', 'debug'],
  ]);
  for (const origin of [PAGE, OTHER]) {
    const response = await fetch(`${url}/__control/account`, {
      headers: { Origin: origin, Authorization: 'Bearer t' },
    });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      200,
      origin,
    ]);
  }
  await command.logged('"allowedHosts":["mock","billing.example"]');
});
