import express from 'express';
import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { fetchAs, until } from '../support/fetching.js';

const server = await createMockServer({ explain: true });
const url = await server.start();
afterAll(() => server.stop());

const REFS = '/events/delete-by-refs';
const CONTRACT = '/contracts/65b000000000000000000001';

type Init = RequestInit & { readonly duplex?: 'half' };

let opened = 0;

/** An account, and a function to call the service as it in process. */
function openAccount(at = server) {
  opened += 1;
  const token = `in-process-${opened}`;
  const authorized = (init: Init): Init => ({
    ...init,
    headers: { Authorization: `Bearer ${token}`, ...init.headers },
  });
  return {
    token,
    account: at.account(token),
    call: (path: string, init: Init = {}) => at.fetch(path, authorized(init)),
    authorized,
  };
}

/** A body that arrives in pieces, without its length. */
function streamOf(...pieces: readonly (string | Uint8Array)[]): ReadableStream {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(typeof piece === 'string' ? Buffer.from(piece) : piece);
    },
  });
}

/** The reason of a rejection in a form that can be compared. */
async function rejectionOf(promise: Promise<unknown>) {
  const thrown = await promise.then(
    () => new Error('It was not rejected.'),
    (error: Error & { cause?: NodeJS.ErrnoException }) => error,
  );
  return { name: thrown.name, message: thrown.message, cause: thrown.cause };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('a streamed body without a length', () => {
  test('arrives whole', async () => {
    const { account, call } = openAccount();
    const body = streamOf('{"refs":', '["acme-2026-', '03-31-001"]', '}');
    const response = await call(REFS, { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ events: [{ ref: 'acme-2026-03-31-001' }] });
    expect(account.journal.list()).toMatchObject([{ body: { refs: ['acme-2026-03-31-001'] } }]);
  });

  test('arrives whole when it is large', async () => {
    const { account, call } = openAccount();
    const refs = Array.from({ length: 20 }, (_none, nth) => `"${String(nth).repeat(50_000)}",`);
    const pieces = ['{"refs":[', ...refs, '"last"]}'];
    const body = streamOf(...pieces);
    const response = await call(REFS, { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' });
    expect(response.status).toBe(200);
    expect(account.journal.list()).toMatchObject([{ body: { bytes: pieces.join('').length } }]);
  });

  test.each(['POST', 'PUT', 'DELETE'])('that is empty is sent by %s as none', async (method) => {
    const { call } = openAccount();
    const { status } = await call(CONTRACT, {
      method,
      body: streamOf(),
      duplex: 'half',
    });
    expect(status).toBe(method === 'DELETE' ? 200 : 405);
  });

  test('that fails rejects with its error as the cause', async () => {
    const { account, call, authorized } = openAccount();
    const failing = (): Init => ({
      method: 'POST',
      headers: JSON_TYPE,
      duplex: 'half',
      body: new ReadableStream({ start: (controller) => controller.error(new Error('no source')) }),
    });
    const seen = await rejectionOf(call(REFS, failing()));
    expect(seen).toEqual(await rejectionOf(fetch(`${url}${REFS}`, authorized(failing()))));
    expect(seen).toMatchObject({ message: 'fetch failed', cause: { message: 'no source' } });
    await until(() => account.journal.list().every(({ outcome }) => outcome !== undefined));
  });
});

describe('a header field that the global fetch', () => {
  const POST: Init = { method: 'POST', body: '{"refs":["x"]}' };

  test.each([
    ['Transfer-Encoding', 'chunked'],
    ['Expect', '100-continue'],
    ['Upgrade', 'websocket'],
    ['Keep-Alive', 'timeout=5'],
    ['Content-Length', 'many'],
  ])('refuses is refused: %s: %s', async (name, value) => {
    const { account, call, authorized } = openAccount();
    for (const [path, init] of [
      ['/measurements', {}],
      [REFS, POST],
    ] as const) {
      const withHeader = { ...init, headers: { ...JSON_TYPE, [name]: value } };
      const global = await rejectionOf(fetch(`${url}${path}`, authorized(withHeader)));
      const seen = await rejectionOf(call(path, withHeader));
      expect([seen.name, seen.message]).toEqual([global.name, global.message]);
      expect((seen.cause as Error).message).toMatch(
        new RegExp(`^The header '${name.toLowerCase()}: ${value}' .* Remove the header\\.$`),
      );
    }
    expect(account.journal.count()).toBe(0);
  });

  test.each(['5', '0'])('leaves out where there is no body is left out: %s', async (length) => {
    const { account, call, authorized } = openAccount();
    const init = { headers: { 'Content-Length': length } };
    const statuses = [
      (await fetch(`${url}/measurements`, authorized(init))).status,
      (await call('/measurements', init)).status,
    ];
    expect(statuses).toEqual([200, 200]);
    for (const { headers } of account.journal.list()) {
      expect(headers).not.toHaveProperty('content-length');
    }
  });

  test.each([13, 15, 0])('finds to be wrong is refused: Content-Length: %i', async (length) => {
    const { account, call } = openAccount();
    const headers = { ...JSON_TYPE, 'Content-Length': String(length) };
    expect(await rejectionOf(call(REFS, { ...POST, headers }))).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { code: 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH' },
    });
    expect(account.journal.count()).toBe(0);
  });

  test.each([
    ['Content-Length', '14'],
    ['Connection', 'close'],
    ['Connection', 'Keep-Alive'],
    ['TE', 'trailers'],
    ['Host', 'billing.example.com'],
  ])('takes is taken: %s: %s', async (name, value) => {
    const { call } = openAccount();
    const { status } = await call(REFS, { ...POST, headers: { ...JSON_TYPE, [name]: value } });
    expect(status).toBe(200);
  });
});

describe('an abort', () => {
  const REASONS = [
    ['without a reason', undefined, { name: 'AbortError' }],
    ['with a reason', new Error('enough'), { message: 'enough' }],
  ] as const;

  test.each(REASONS)(
    'while the body is being sent rejects, %s',
    async (_with, reason, expected) => {
      const { call } = openAccount();
      const abortion = new AbortController();
      let cancelledWith: unknown;
      const body = new ReadableStream({
        pull: () => abortion.abort(reason),
        cancel(why) {
          cancelledWith = why;
        },
      });
      const { signal } = abortion;
      const response = call(REFS, { method: 'POST', body, signal, duplex: 'half' });
      await expect(response).rejects.toMatchObject(expected);
      expect(cancelledWith).toMatchObject(expected);
    },
  );

  test.each([
    ['the global fetch', fetch],
    ['server.fetch', server.fetch],
  ] as const)('while the body is being read rejects it: %s', async (_name, send) => {
    const { account, authorized } = openAccount();
    account.faults.add({ kind: 'slow', delayMs: 3_600_000 });
    const { signal, abort } = aborting();
    const response = await send(`${url}/measurements`, authorized({ signal }));
    const body = response.text();
    abort();
    await expect(body).rejects.toMatchObject({ name: 'AbortError' });
    await until(() => account.journal.list()[0]?.outcome === 'aborted');
  });

  test('before the body is read rejects it', async () => {
    const { call } = openAccount();
    const { signal, abort } = aborting();
    const response = await call('/measurements', { signal });
    abort();
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('by the signal of a Request counts as well', async () => {
    const { authorized } = openAccount();
    const { signal, abort } = aborting();
    const request = new Request(`${url}/measurements`, authorized({ signal }));
    const response = await server.fetch(request);
    abort();
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('after the body was read does nothing', async () => {
    const { call } = openAccount();
    const { signal, abort } = aborting();
    const response = await call('/measurements', { signal });
    expect(await response.json()).toHaveProperty('total');
    abort();
    expect(response.status).toBe(200);
  });

  function aborting() {
    const controller = new AbortController();
    return { signal: controller.signal, abort: () => controller.abort() };
  }
});

describe('a body that is cancelled', () => {
  test('ends the connection of a slow response', async () => {
    const { account, call } = openAccount();
    account.faults.add({ kind: 'slow', delayMs: 3_600_000 });
    const response = await call('/measurements');
    await response.body?.cancel();
    await until(() => account.journal.list()[0]?.outcome === 'aborted');
  });

  test('may be one that has come whole', async () => {
    const { account, call } = openAccount();
    const response = await call('/measurements');
    await response.body?.cancel();
    expect(account.journal.list()).toMatchObject([{ status: 200 }]);
  });
});

test('gives every caller bytes of its own, whatever others do with those that they have read', async () => {
  const texts = [];
  for (let times = 0; times < 5; times += 1) {
    const { account, call } = openAccount();
    if (times === 4) account.faults.add({ kind: 'slow', delayMs: 1, phase: 'after' });
    const { body } = await call('/measurements?limit=20');
    let text = '';
    for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(bytes);
      bytes.fill(0);
    }
    texts.push(text);
  }
  expect(new Set(texts).size).toBe(1);
  expect(JSON.parse(texts[0] ?? '').measurements).toHaveLength(20);
});

describe('stop()', () => {
  const DELAYS = [
    { kind: 'delay', delayMs: 3_600_000 },
    { kind: 'delay', delayMs: 3_600_000, phase: 'after' },
    { kind: 'slow', delayMs: 3_600_000 },
  ] as const;

  test.each([
    ['that was started', true],
    ['that was not', false],
  ])('of a server %s breaks off the calls in process that are under way', async (_which, isOn) => {
    const own = await createMockServer();
    if (isOn) await own.start();
    const accounts = DELAYS.map((fault) => {
      const opening = openAccount(own);
      opening.account.faults.add({ ...fault, operationId: 'deleteContract' });
      return opening;
    });
    const calls = accounts.map(({ token }) =>
      fetchAs({ url }, token, CONTRACT, { method: 'DELETE' }, own.fetch),
    );
    await until(() => accounts.every(({ account }) => account.faults.list()[0]?.fired === 1));
    await own.stop();
    const failures = (await Promise.all(calls)).map(({ failure }) => failure);
    // A slow response has begun.
    expect(failures).toEqual(
      DELAYS.map(
        ({ kind }) => `${kind === 'slow' ? 'terminated' : 'fetch failed'}: UND_ERR_SOCKET`,
      ),
    );
    for (const { account } of accounts) {
      expect(account.journal.list()).toMatchObject([{ outcome: 'aborted' }]);
    }
  });

  test('leaves those that end soon their time, and answers new ones', async () => {
    const own = await createMockServer();
    const { account, call } = openAccount(own);
    account.faults.add({ kind: 'hold' });
    const response = call('/measurements');
    await until(() => account.faults.list()[0]?.fired === 1);
    const stopped = own.stop();
    account.faults.clear();
    await stopped;
    expect((await response).status).toBe(200);
    expect((await call('/measurements')).status).toBe(200);
    await own.stop();
  });
});

/** A request that every transport can send. */
interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parts of a response that every transport shows. */
interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Header fields that transports add; all others are the mock's. */
const OF_TRANSPORT = ['date', 'connection', 'keep-alive'];

async function responseOf(response: Response): Promise<ReceivedResponse> {
  return {
    status: response.status,
    headers: ofMock([...response.headers]),
    text: await response.text(),
  };
}

function ofMock(headers: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(headers.filter(([name]) => !OF_TRANSPORT.includes(name)).sort());
}

function initOf({ method = 'GET', body, headers }: Call, token: string): RequestInit {
  return {
    method,
    headers: { Authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body }),
  };
}

const SKINS: Readonly<Record<string, (call: Call, token: string) => Promise<ReceivedResponse>>> = {
  socket: async (call, token) => responseOf(await fetch(`${url}${call.path}`, initOf(call, token))),
  'server.fetch': async (call, token) =>
    responseOf(await server.fetch(call.path, initOf(call, token))),
  'supertest on server.app': async ({ method = 'GET', path, body, headers }, token) => {
    const name = method.toLowerCase() as 'get' | 'post' | 'delete' | 'head' | 'options';
    const {
      status,
      headers: received,
      text,
    } = await request(server.app)
      [name](path)
      .set({ Authorization: `Bearer ${token}`, ...headers })
      .send(body);
    const fields = Object.entries(received as Record<string, string>);
    return { status, headers: ofMock(fields), text: text ?? '' };
  },
};

/** The calls of an account, in order. */
const CALLS: readonly Call[] = [
  { path: '/customers/name/Acme%20Corporation' },
  { path: '/customers/65a000000000000000000001' },
  { path: '/customers/65a000000000000000000001', method: 'HEAD' },
  { path: '/measurements?limit=3' },
  { path: '/measurements?limit=1000' },
  { path: '/measurements?limit=0&verbose=1' },
  { path: '/measurements', headers: { Prefer: 'code=429' } },
  { path: CONTRACT, method: 'DELETE' },
  { path: CONTRACT, method: 'DELETE' },
  { path: CONTRACT, method: 'OPTIONS' },
  { path: CONTRACT, method: 'POST' },
  { path: REFS, method: 'POST', headers: JSON_TYPE, body: '{"refs":["acme-2026-03-31-001"]}' },
  { path: REFS, method: 'POST', headers: JSON_TYPE, body: '{"refs":[1,"a"]}' },
  { path: REFS, method: 'POST', headers: JSON_TYPE, body: '{"refs":' },
  { path: REFS, method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'refs' },
  { path: REFS, method: 'POST' },
  { path: '/customers/%E0%A4%A' },
  { path: '/nowhere' },
  { path: '/__control/requests' },
  { path: '/__control/faults', method: 'POST', headers: JSON_TYPE, body: '{"kind":"status"}' },
  { path: '/measurements' },
  { path: '/__control/openapi.json' },
];

/** The responses to all calls of an account with a frozen clock. */
async function responsesOf(skin: string): Promise<readonly ReceivedResponse[]> {
  const { token, account } = openAccount();
  account.clock.freeze('2030-01-02T03:04:05.000Z');
  const responses: ReceivedResponse[] = [];
  for (const call of CALLS) {
    const response = await SKINS[skin]?.(call, token);
    if (response) responses.push(response);
  }
  return responses;
}

/** Drops the journal, which shows transports' header fields, and replaces the mock's address. */
function comparable(
  responses: readonly ReceivedResponse[],
): readonly (ReceivedResponse | string)[] {
  return responses.map((response, index) => {
    if (CALLS[index]?.path === '/__control/requests') return 'the journal';
    return CALLS[index]?.path === '/nowhere'
      ? response.text.replace(/http:\/\/[\w.:]+/, 'http://mock')
      : response;
  });
}

describe('the responses are the same, byte for byte,', () => {
  test.each(['server.fetch', 'supertest on server.app'])(
    'over a socket and by %s',
    async (skin) => {
      const [overSocket, others] = [await responsesOf('socket'), await responsesOf(skin)];
      expect(others).toHaveLength(CALLS.length);
      expect(comparable(others)).toEqual(comparable(overSocket));
      expect(new Set(others.map(({ status }) => status)).size).toBeGreaterThan(6);
    },
  );
});

describe('server.fetch', () => {
  const init = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

  test('takes a Request, a URL and a path, of whatever host', async () => {
    const calls = [
      new Request('https://billing.example.com/measurements', init('a')),
      new URL('https://billing.example.com/measurements'),
      '/measurements',
    ];
    for (const call of calls) {
      const response = await server.fetch(call, init('a'));
      expect(response).toBeInstanceOf(Response);
      expect([response.status, new URL(response.url).pathname]).toEqual([200, '/measurements']);
    }
  });

  test('answers while the server is not started, and needs no object around it', async () => {
    const { fetch: inProcess } = await createMockServer();
    const responses = await Promise.all(
      ['a', 'b', 'c'].map((token) => inProcess(CONTRACT, { ...init(token), method: 'DELETE' })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await inProcess(CONTRACT, { ...init('a'), method: 'DELETE' })).status).toBe(404);
  });

  test('rejects when it is aborted, and the journal says that the client has gone', async () => {
    const account = server.account('aborting');
    account.faults.add({ kind: 'delay', delayMs: 60_000 });
    const abortion = new AbortController();
    const response = server.fetch('/measurements', {
      ...init('aborting'),
      signal: abortion.signal,
    });
    await until(() => account.journal.count() === 1);
    abortion.abort();
    await expect(response).rejects.toThrow('aborted');
    await until(() => account.journal.list()[0]?.outcome !== undefined);
    expect(account.journal.list()).toMatchObject([{ outcome: 'aborted' }]);
    await expect(
      server.fetch('/measurements', { ...init('aborting'), signal: AbortSignal.abort() }),
    ).rejects.toThrow('aborted');
    expect(account.journal.count()).toBe(1);
  });

  test('shows a slow body piece by piece', async () => {
    server.account('slow').faults.add({ kind: 'slow', delayMs: 50 });
    const response = await server.fetch('/measurements', init('slow'));
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body ?? []) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(3);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toHaveProperty('measurements');
  });
});

test('a body that an app before it has begun to decode is an internal error, not a mistake of the client', async () => {
  const app = express();
  app.use((received, _response, next) => {
    received.setEncoding('utf8');
    next();
  });
  app.use(server.app);
  const { status, body } = await request(app)
    .post('/events/delete-by-refs')
    .set('Authorization', 'Bearer decoded')
    .send({ refs: ['x'] });
  expect([status, body.type]).toEqual([500, 'urn:usage-billing-mock:problem:internal-error']);
});
