import express from 'express';
import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { until } from '../support/fetching.js';

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

const server = await createMockServer({ explain: true });
const url = await server.start();
afterAll(() => server.stop());

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

const JSON_TYPE = { 'Content-Type': 'application/json' };
const REFS = '/events/delete-by-refs';
const CONTRACT = '/contracts/65b000000000000000000001';

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

let opened = 0;

/** The responses to all calls of an account with a frozen clock. */
async function responsesOf(skin: string): Promise<readonly ReceivedResponse[]> {
  opened += 1;
  const token = `skin-${opened}`;
  server.account(token).clock.freeze('2030-01-02T03:04:05.000Z');
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
