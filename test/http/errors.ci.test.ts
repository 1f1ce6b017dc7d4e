import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { operations, violationsOf } from '../support/document.js';
import { openSocket, type RawResponse, sendRaw } from '../support/socket.js';

const server = await createMockServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly isAnonymous?: boolean;
}

const POST = { method: 'POST', path: '/events/delete-by-refs' } as const;
const JSON_TYPE = 'Content-Type: application/json';

/** Sends a request over a socket, with a token and the body's length filled in. */
function send(call: Call) {
  const { method = 'GET', path = '/measurements', headers = [], body = '' } = call;
  const fields = [
    'Host: localhost',
    'Connection: close',
    ...(call.isAnonymous ? [] : ['Authorization: Bearer t']),
    ...(body ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
    ...headers,
  ];
  return sendRaw(server.url, `${method} ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${body}`);
}

function expectProblem(response: RawResponse, status: number, name: string, detail: string) {
  const problem = JSON.parse(response.body);
  expect(problem).toMatchObject({
    type: `urn:usage-billing-mock:problem:${name}`,
    status,
    detail: expect.stringContaining(detail),
  });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(response.body));
  expect(violationsOf({ $ref: '#/components/schemas/Problem' }, problem)).toEqual([]);
  expect(response.body).not.toMatch(/<html|\bat .*\.(ts|js|mjs):\d+/i);
}

const cases: [string, Call, number, string, string][] = [
  ['an unknown path', { path: '/invoices' }, 404, 'unknown-path', '/customers/{customerId}'],
  [
    'a path that is unknown with one slash too',
    { path: '//invoices' },
    404,
    'unknown-path',
    'Expected one of ',
  ],
  ['the root', { path: '/' }, 404, 'unknown-path', "curl -H 'Authorization: Bearer my-token'"],
  [
    'a base URL with a trailing slash',
    { path: '//customers/1' },
    404,
    'unknown-path',
    "Did you mean '/customers/1'?",
  ],
  [
    'an empty name',
    { path: '/customers/name/' },
    404,
    'unknown-path',
    "Did you mean '/customers/name/{name}'?",
  ],
  ['a trailing slash', { path: '/measurements/' }, 404, 'unknown-path', "mean '/measurements'"],
  ['capitals in the path', { path: '/Measurements' }, 404, 'unknown-path', "mean '/measurements'"],
  [
    'a method that the path does not take',
    { method: 'PUT' },
    405,
    'method-not-allowed',
    'expected GET (listMeasurements)',
  ],
  [
    'a percent sign alone in the path',
    { path: '/customers/100%' },
    400,
    'invalid-request',
    'path /customerId: expected percent-encoded UTF-8',
  ],
  [
    'percent-encoding that is not UTF-8',
    { path: '/customers/%E0%A4%A' },
    400,
    'invalid-request',
    'path /customerId',
  ],
  [
    'an unknown query parameter',
    { path: '/measurements?customerId=1' },
    400,
    'invalid-request',
    'query /customerId: unknown parameter',
  ],
  ['no body', POST, 400, 'missing-body', 'No body was received'],
  [
    'a body without a type',
    { ...POST, body: '{"refs":["a"]}' },
    415,
    'unsupported-media-type',
    'without a Content-Type',
  ],
  [
    'a body of another type',
    { ...POST, headers: ['Content-Type: text/plain'], body: '{"refs":["a"]}' },
    415,
    'unsupported-media-type',
    "'text/plain'",
  ],
  [
    'a type that only looks like JSON',
    { ...POST, headers: ['Content-Type: application/vnd.x+json'], body: '{"refs":["a"]}' },
    415,
    'unsupported-media-type',
    'vnd.x+json',
  ],
  [
    'an encoding that is not known',
    { ...POST, headers: [JSON_TYPE, 'Content-Encoding: rot13'], body: '{"refs":["a"]}' },
    415,
    'unsupported-media-type',
    'rot13',
  ],
  [
    'malformed JSON',
    { ...POST, headers: [JSON_TYPE], body: '{"refs":["a",]}' },
    400,
    'malformed-json',
    'The body is not JSON',
  ],
  [
    'a body of null',
    { ...POST, headers: [JSON_TYPE], body: 'null' },
    400,
    'invalid-request',
    'body: expected an object, received null',
  ],
  [
    'an expectation that nobody has',
    { headers: ['Expect: miracles'] },
    417,
    'unmet-expectation',
    "'Expect: miracles'",
  ],
  [
    'a header over 16 kB',
    { headers: [`X-Long: ${'x'.repeat(20_000)}`] },
    431,
    'headers-too-large',
    '16 kB',
  ],
  ['a header that is none', { headers: ['no colon'] }, 400, 'malformed-http', 'cannot be parsed'],
  ['a method that is none', { method: 'FETCH', path: 'x' }, 400, 'malformed-http', 'HTTP method'],
  [
    'CONNECT',
    { method: 'CONNECT', path: 'example.org:443' },
    405,
    'method-not-allowed',
    'not a proxy',
  ],
];

describe('over a socket, a problem answers', () => {
  test.each(cases)('%s', async (_words, call, status, name, detail) => {
    expectProblem(await send(call), status, name, detail);
  });

  test('a request without a Host header', async () => {
    const response = await sendRaw(
      server.url,
      'GET /measurements HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer t\r\n\r\n',
    );
    expectProblem(response, 400, 'malformed-http', 'no Host header');
  });

  test('what is not HTTP at all', async () => {
    expectProblem(await sendRaw(server.url, 'HELO example\r\n\r\n'), 400, 'malformed-http', 'HTTP');
  });

  test('a body of more than 10 MB', async () => {
    const body = JSON.stringify({ refs: ['x'.repeat(11 * 1024 * 1024)] });
    const response = await fetch(`${server.url}${POST.path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer t' },
      body,
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      type: 'urn:usage-billing-mock:problem:content-too-large',
      detail: expect.stringContaining('10 MB'),
    });
  });

  test('a body just below 10 MB is read', async () => {
    const body = JSON.stringify({ refs: ['x'.repeat(10 * 1024 * 1024 - 20)] });
    const response = await fetch(`${server.url}${POST.path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer t' },
      body,
    });
    expect(response.status).toBe(200);
  });

  test.each([
    ['a body nested 5000 deep', `{"refs":[${'['.repeat(5000)}${']'.repeat(5000)}]}`],
    ['a million wrong refs', JSON.stringify({ refs: Array(1_000_000).fill(1) })],
    ['a million wrong refs beside a number', JSON.stringify({ refs: Array(1e6).fill(1), x: 5 })],
    [
      'a million of something else beside a right one',
      JSON.stringify({ refs: ['a'], x: Array(1e6).fill(1) }),
    ],
  ])('%s is answered, and the next request too', async (words, body) => {
    const response = await send({ ...POST, headers: [JSON_TYPE], body });
    expect(response.status).toBe(words.endsWith('right one') ? 200 : 400);
    expect(response.body.length).toBeLessThan(20_000);
    if (words.startsWith('a million wrong')) expect(response.body).toContain('1 or more values');
    expect((await send({})).status).toBe(200);
  });

  test.each([
    ['blanks alone', ' '.repeat(2 ** 21), 400],
    ['brackets in a text', JSON.stringify({ refs: ['{[\\"'.repeat(2 ** 18)] }), 200],
    ['brackets side by side', JSON.stringify({ refs: ['a'], x: Array(2 ** 19).fill([]) }), 200],
  ])('more than 1 MB of %s', async (_words, body, status) => {
    const response = await send({ ...POST, headers: [JSON_TYPE], body });
    expect(response.status).toBe(status);
    if (status === 400) expectProblem(response, 400, 'malformed-json', 'is not JSON');
  });

  test.each([
    ['is not gzip', Buffer.from('{"refs":["a"]}'), 400, 'invalid-request'],
    ['is gzip cut short', gzipSync('{"refs":["a"]}').subarray(0, 15), 400, 'invalid-request'],
    ['is gzip of nothing', gzipSync(''), 400, 'missing-body'],
  ])('a body that says gzip and %s', async (_words, body, status, name) => {
    const response = await fetch(`${server.url}${POST.path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        Authorization: 'Bearer t',
      },
      body,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: `urn:usage-billing-mock:problem:${name}` });
  });

  test.each([
    ['a byte that is none', Buffer.from('{"refs":["caf\xe9"]}', 'latin1')],
    ['half a character', Buffer.from('{"refs":["\u20ac"]}').subarray(0, 12)],
    ['a lone surrogate', Buffer.from('{"refs":["\xed\xa0\x80"]}', 'latin1')],
    ['another encoding', Buffer.from('{"refs":["a"]}', 'utf16le').fill(0xff, 0, 2)],
  ])('a body with %s of UTF-8', async (_words, body) => {
    const response = await server.fetch(POST.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer not-utf-8' },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: 'urn:usage-billing-mock:problem:malformed-json',
      detail: 'The body has bytes that are not UTF-8. Encode it as UTF-8.',
    });
    expect(server.account('not-utf-8').journal.list().at(-1)).toHaveProperty('body');
  });

  test.each(['UTF-8', 'utf8', '"utf-8"', ''])('no body whose charset is %j', async (charset) => {
    const headers = [`${JSON_TYPE}; charset=${charset}`];
    expect((await send({ ...POST, headers, body: '{"refs":["café"]}' })).status).toBe(200);
  });

  test.each(['utf-16', 'us-ascii', 'klingon'])('a body whose charset is %s', async (charset) => {
    const type = `application/json; charset=${charset}`;
    const headers = [`Content-Type: ${type}`];
    const response = await send({ ...POST, headers, body: '{"refs":["a"]}' });
    expectProblem(
      response,
      415,
      'unsupported-media-type',
      `'${type}'; expected 'application/json' in UTF-8`,
    );
  });

  test.each<[string, string | Buffer, string, string]>([
    ['not in its Content-Encoding', '{"refs":["a"]}', 'invalid-request', 'gzip'],
    ['not UTF-8', Buffer.from('{"refs":["caf\xe9"]}', 'latin1'), 'malformed-json', ''],
    ['not JSON', '{"refs":', 'malformed-json', ''],
    ['not there', '', 'missing-body', ''],
  ])(
    'a body that is %s, under the decision about its status',
    async (_what, body, name, encoding) => {
      const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer decided' };
      server.account('decided').decisions.change({ 'invalid-request-status': 422 });
      const response = await server.fetch(POST.path, {
        method: 'POST',
        headers: { ...headers, ...(encoding && { 'Content-Encoding': encoding }) },
        body,
      });
      expect([response.status, await response.json()]).toEqual([
        422,
        expect.objectContaining({
          type: `urn:usage-billing-mock:problem:${name}`,
          decision: 'invalid-request-status',
        }),
      ]);
    },
  );

  test('a chunked body of nothing', async () => {
    const response = await sendRaw(
      server.url,
      `POST ${POST.path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer t\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    );
    expectProblem(response, 400, 'missing-body', 'No body was received');
  });

  test('a client that hangs up in the middle of its body harms nobody', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${POST.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n${JSON_TYPE}\r\nContent-Length: 100\r\n\r\n{"refs":`,
    );
    socket.end();
    for await (const _ of socket);
    expect((await send({})).status).toBe(200);
  });
});

describe('a request that is broken after its head', () => {
  const head = (token: string, fields = '') =>
    `DELETE /contracts/65b000000000000000000001 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${fields}\r\n`;

  test('changes nothing when its own body is malformed', async () => {
    const response = await sendRaw(
      server.url,
      `${head('chunks', 'Transfer-Encoding: chunked\r\n')}zz\r\n`,
    );
    expectProblem(response, 400, 'malformed-http', 'cannot be parsed');
    const { contracts } = server.account('chunks');
    expect(contracts.list().some(({ deletedAt }) => deletedAt)).toBe(false);
  });

  test('is answered after the good one that stood before it', async () => {
    const { status, body } = await sendRaw(server.url, `${head('pipeline')}garbage\r\n\r\n`);
    expect(status).toBe(200);
    expect(body).toMatch(/"deletedAt".*HTTP\/1\.1 400 Bad Request.*malformed-http/s);
  });

  test.each([
    ['its head', 'GET /measurements HT'],
    ['its body', `${head('cut', 'Transfer-Encoding: chunked\r\n')}5\r\n{`],
    [
      'a long body that nobody reads',
      `GET /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(200_000)}`,
    ],
  ])(
    'gets nothing behind a stream, which ends with the client that cut off %s',
    async (_part, cut) => {
      const stream = 'GET /__control/requests/stream?of=server HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const { socket, received, closed } = openSocket(server.url, stream + cut);
      socket.end();
      await closed;
      expect(received().match(/HTTP\/1\.1/g)).toHaveLength(1);
    },
  );

  test('may have a body that nobody wants', async () => {
    const response = await sendRaw(
      server.url,
      `${head('unwanted', 'Connection: close\r\nContent-Length: 4\r\n')}what`,
    );
    expect(response.status).toBe(200);
  });
});

test('a request target with the origin in it, as a proxy gets it, is understood', async () => {
  const response = await send({ path: `${server.url}/customers/65a000000000000000000001?` });
  expect(response.status).toBe(200);
  expect((await send({ path: server.url })).status).toBe(404);
});

test.each(['http://', 'HTTPS://', 'https://?limit=1'])(
  'the request target %s, an origin without a host, is the unknown path /',
  async (path) => {
    expectProblem(await send({ path }), 404, 'unknown-path', "'/'");
  },
);

test.each(['foo://', 'ftp://localhost/__control/health'])(
  'the request target %s of another scheme is an unknown path',
  async (path) => {
    expectProblem(await send({ path }), 404, 'unknown-path', path);
  },
);

test.each(['customers/x', '?limit=1', 'localhost:80/measurements'])(
  'the request target %s lacks the slash that it has to begin with and the refusal says so',
  async (path) => {
    expectProblem(
      await send({ path }),
      400,
      'malformed-http',
      'The request target does not begin with a slash, or has a character that HTTP does not allow there; expected a path such as /measurements',
    );
  },
);

test('a character that HTTP does not allow in the path is reported as such', async () => {
  expectProblem(
    await send({ path: '/customers/name/café' }),
    400,
    'malformed-http',
    'a character that HTTP does not allow there',
  );
});

describe('a long value that was received is shown as its beginning', () => {
  const LONG = 'x'.repeat(12_000);

  test.each<[string, Call, number]>([
    ['an id of a customer', { path: `/customers/${LONG}` }, 404],
    ['a name of a customer', { path: `/customers/name/${LONG}` }, 404],
    ['an id of a contract', { method: 'DELETE', path: `/contracts/${LONG}` }, 404],
    ['an expectation', { headers: [`Expect: ${LONG}`] }, 417],
    [
      'a media type',
      { ...POST, headers: [`Content-Type: text/${LONG}`], body: '{"refs":["a"]}' },
      415,
    ],
  ])('%s', async (_words, call, status) => {
    const response = await send(call);
    expect(response.status).toBe(status);
    expect(response.body).toMatch(/x{190}x*…/);
    expect(response.body.length).toBeLessThan(1_000);
  });

  test.each(['unmatched refs', 'a name that several have'])('%s', async (words) => {
    const decisions = { 'unmatched-refs': 'not-found', 'duplicate-name': 'conflict' } as const;
    const strict = await createMockServer({ decisions });
    const client = clientOf(strict);
    const { customers } = strict.account(client.token);
    for (const id of ['one', 'other']) customers.put({ id, name: LONG });
    const { body } = words.startsWith('a name')
      ? await client.get(`/customers/name/${LONG}`)
      : await client.deleteEvents([LONG]);
    expect(body.detail).toMatch(/x{190}x*…/);
    expect(body.detail.length).toBeLessThan(1_000);
  });

  test('and not in the middle of a character', async () => {
    const { body } = await clientOf(server).get(
      `/customers/${encodeURIComponent(`x${'\u{1F600}'.repeat(200)}`)}`,
    );
    expect(body.detail).toContain('…');
    expect(body.detail).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });
});

test('OPTIONS * asks the server as a whole, and is answered without a body', async () => {
  const response = await send({ method: 'OPTIONS', path: '*', isAnonymous: true });
  expect([response.status, response.body]).toEqual([204, '']);
  const documented = operations.map(({ method }) => method.toUpperCase());
  const allowed = response.headers.get('allow')?.split(', ').sort();
  expect(allowed).toEqual([...new Set([...documented, 'HEAD', 'OPTIONS'])].sort());
  expectProblem(await send({ path: '*' }), 404, 'unknown-path', "no path '*'. Expected one of /");
});

test.each(['/x', '/customers', '//x', '/__control/x'])(
  'a long path below %s is shown as its beginning',
  async (path) => {
    const response = await send({ path: `${path}${'/a'.repeat(7_000)}` });
    expect(response.status).toBe(404);
    expect(response.body.length).toBeLessThan(3_000);
  },
);

test.each([
  'http://localhost/__control/health',
  'HTTP://localhost:4010/__control/account',
  'https://localhost/__control/requests?status=200',
])('the control plane understands the request target %s as well', async (path) => {
  expect((await send({ path })).status).toBe(200);
});

test.each(['http://localhost/__controls', 'http://localhost?/__control/health'])(
  'the request target %s is none of the control plane',
  async (path) => {
    expectProblem(await send({ path }), 404, 'unknown-path', 'There is no path');
  },
);

describe('a member that the document does not list, when such are refused', () => {
  test.each([
    ['other', '/other'],
    ['a/b', '/a~1b'],
    ['a~1b', '/a~01b'],
    ['refs/0', '/refs~10'],
  ])('%j is reported with its pointer, its value and what to do', async (name, pointer) => {
    const strict = await createMockServer({ decisions: { 'unknown-body-members': 'reject' } });
    const { status, body } = await clientOf(strict).postRefs({ refs: ['x'], [name]: 7 });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        in: 'body',
        pointer,
        expected: 'a known member',
        received: 7,
        detail:
          name === 'refs/0' ? "Did you mean 'refs'?" : 'Remove it, or correct it to one of refs.',
        decision: 'unknown-body-members',
      },
    ]);
  });
});

test('a fraction that is refused is reported as every invalid value is', async () => {
  const strict = await createMockServer({ decisions: { 'fractional-limit': 'reject' } });
  const { body } = await clientOf(strict).get('/measurements?limit=2.5');
  expect(body.errors).toEqual([
    {
      in: 'query',
      pointer: '/limit',
      expected: 'an integer',
      received: '2.5',
      detail: 'It must be an integer.',
      decision: 'fractional-limit',
    },
  ]);
});

describe('all invalid values of a request are reported at once', () => {
  test('in the query', async () => {
    const response = await send({ path: '/measurements?limit=0&from=1&cursor=' });
    expect(JSON.parse(response.body).errors).toEqual([
      {
        in: 'query',
        pointer: '/from',
        expected: 'a known parameter',
        received: '1',
        detail: 'Remove it, or correct it to one of limit, cursor.',
        decision: 'unknown-query-parameters',
      },
      {
        in: 'query',
        pointer: '/cursor',
        expected: 'a value',
        received: '',
        detail: expect.any(String),
        decision: 'empty-parameter',
      },
      {
        in: 'query',
        pointer: '/limit',
        expected: 'at least 1',
        received: '0',
        detail: expect.any(String),
        decision: 'limit-out-of-bounds',
      },
    ]);
  });

  test('by pointers in which a slash and a tilde of a name are escaped', async () => {
    const response = await send({ path: '/measurements?a/b~c=1' });
    expect(JSON.parse(response.body).errors[0].pointer).toBe('/a~1b~0c');
  });

  test('also where the validator would take limit[] for limit', async () => {
    const response = await send({ path: '/measurements?limit[]=10' });
    expect(JSON.parse(response.body).errors).toEqual([
      expect.objectContaining({
        pointer: '/limit[]',
        expected: 'a known parameter',
        received: '10',
      }),
    ]);
  });

  test('in the query and the body', async () => {
    const response = await send({
      ...POST,
      path: `${POST.path}?dryRun=true`,
      headers: [JSON_TYPE],
      body: '{"refs":["a",1,null]}',
    });
    expect(JSON.parse(response.body).errors).toEqual([
      {
        in: 'query',
        pointer: '/dryRun',
        expected: 'a known parameter',
        received: 'true',
        detail: 'Remove it.',
        decision: 'unknown-query-parameters',
      },
      {
        in: 'body',
        pointer: '/refs/1',
        expected: 'a string',
        received: 1,
        detail: 'It must be a string.',
      },
      {
        in: 'body',
        pointer: '/refs/2',
        expected: 'a string',
        received: null,
        detail: 'It must be a string.',
      },
    ]);
  });

  test('in the path and the query', async () => {
    const response = await send({ path: '/customers/%zz?x=1' });
    const errors = JSON.parse(response.body).errors;
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/customerId',
      '/x',
    ]);
  });

  test('up to 20 of them, and the count of all', async () => {
    const body = JSON.stringify({ refs: Array(50).fill(1) });
    const response = await send({ ...POST, headers: [JSON_TYPE], body });
    const problem = JSON.parse(response.body);
    expect(problem.errors).toHaveLength(20);
    expect(problem.detail).toContain('50 values are invalid');
    expect(problem.detail).toContain('The first 20 are listed.');
  });
});

describe('of several reasons to refuse, the first of this order is reported', () => {
  test.each<[string, Call, number]>([
    ['404 of a path before 401', { path: '/x', isAnonymous: true }, 404],
    ['405 before 401', { method: 'PATCH', isAnonymous: true }, 405],
    ['401 before 415', { ...POST, isAnonymous: true, body: 'x' }, 401],
    ['401 before 400', { path: '/measurements?limit=0', isAnonymous: true }, 401],
    ['415 before 400', { ...POST, headers: ['Content-Type: text/plain'], body: '{' }, 415],
    ['400 before 404 of an id', { path: '/customers/nobody?x=1' }, 400],
  ])('%s', async (_words, call, status) => {
    const response = await send(call);
    expect(response.status).toBe(status);
  });
});

test('A request that says HTTP/2.0 on a connection of HTTP/1.1 is answered like any other', async () => {
  const head = 'GET /measurements HTTP/2.0\r\nHost: x\r\nAuthorization: Bearer t\r\n';
  const response = await sendRaw(server.url, `${head}Connection: close\r\n\r\n`);
  expect(response.status).toBe(200);
});
