import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { createMockServer, ProblemError, type Routes } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { openapi } from '../support/document.js';
import { until } from '../support/fetching.js';
import { sendRaw } from '../support/socket.js';

const NOT_EXPRESS =
  'Mount Express handlers before server.app, as in express().use(handlers, server.app); accounts, faults and the journal do not apply to them there.';

/** The requests that the routes received. */
const received: { readonly url: string; readonly fields: object; readonly text: string }[] = [];
/** The signals of requests that are never answered. */
const waiting: AbortSignal[] = [];
/** Why the bodies of responses were cancelled. */
const cancelled: unknown[] = [];

function bodyOf(pieces: readonly unknown[], end = true): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (end) controller.close();
    },
    cancel: (reason) => void cancelled.push(reason),
  });
}

const MB = new Uint8Array(2 ** 20);
const used = Response.json({});
const FOUND = { headers: { 'Content-Encoding': 'gzip' } };

type Handle = (...call: Parameters<Routes>) => unknown;

/** A service whose responses are compressed. */
const other = createServer((_message, response) => {
  response.setHeader('Content-Encoding', 'gzip').end(gzipSync('from another service'));
}).listen(0, '127.0.0.1');
const otherUrl = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

/** The routes by path. */
const HANDLES: Readonly<Record<string, Handle>> = {
  '/own/contracts': async (sent, { account }) =>
    Response.json(account.contracts.add(Object(await sent.json())), { status: 201 }),
  '/plans/1': ({ method, url }) => Response.json({ method, url }),
  '/echo': async (sent) => {
    const fields = Object.fromEntries(sent.headers);
    received.push({ url: sent.url, fields, text: await sent.text() });
    return new Response();
  },
  '/cookies': () => {
    const headers = new Headers({ 'Content-Length': '99', Connection: 'close' });
    for (const cookie of ['a=1', 'b=2']) headers.append('Set-Cookie', cookie);
    return new Response('text', { headers });
  },
  '/other': () => fetch(otherUrl()),
  '/compressed': () => new Response(gzipSync('compressed here'), FOUND),
  '/measurements': () => Response.json('never'),
  '/fails': () => {
    throw new Error('out of order');
  },
  '/fails-silently': () => {
    throw new Error();
  },
  '/fails-in-a-sentence': () => {
    throw new Error('It is out of order.');
  },
  '/refuses': () => {
    throw new ProblemError('unknown-identifier', 'There is no such plan.');
  },
  '/text': () => 'text',
  '/null': () => null,
  '/error': () => Response.error(),
  '/used': () => used.text().then(() => used),
  '/strings': () => new Response(bodyOf(['a string'])),
  '/10-mb': () => new Response(bodyOf(Array(10).fill(MB))),
  '/endless': () => new Response(bodyOf([...Array(10).fill(MB), MB.subarray(0, 1)], false)),
  '/never': ({ signal }) => {
    waiting.push(signal);
    return new Promise(() => undefined);
  },
  '/stream': () => new Response(bodyOf([new Uint8Array(1)], false)),
};

const routes: Routes = (sent, mock) => {
  const { pathname } = new URL(sent.url);
  return HANDLES[pathname]?.(sent, mock) as ReturnType<Routes>;
};

const server = await createMockServer({ routes });
let url: string;
beforeAll(async () => {
  url = await server.start();
});
afterAll(async () => {
  other.close();
  await server.stop();
});

/** A method that `/customers/{customerId}` does not have. */
const [unused = ''] = ['PUT', 'POST', 'PATCH', 'DELETE'].filter(
  (method) => !(method.toLowerCase() in openapi.paths['/customers/{customerId}']),
);

function call(path: string, init: RequestInit = {}) {
  const token = 'any';
  return server.fetch(path, {
    ...init,
    headers: { Authorization: `Bearer ${token}`, ...init.headers },
  });
}

describe('a route', () => {
  test('acts on the account of the token', async () => {
    const client = clientOf(server);
    const response = await request(server.app)
      .post('/own/contracts')
      .set('Authorization', `Bearer ${client.token}`)
      .send({ id: 'k9', name: 'New' });
    expect([response.status, response.body.name]).toEqual([201, 'New']);
    expect((await client.delete('/contracts/k9')).status).toBe(200);
    expect((await clientOf(server).delete('/contracts/k9')).status).toBe(404);
  });

  test('needs a token', async () => {
    const { status, body } = await request(server.app).get('/plans/1');
    expect([status, body.title]).toEqual([401, 'Missing or invalid token']);
  });

  test('comes after the operations and the stubs', async () => {
    const client = clientOf(server);
    expect((await client.get('/measurements')).body.total).toBeGreaterThan(0);
    server.account(client.token).stubs.add({ method: 'GET', path: '/plans/1', body: 'a stub' });
    expect((await client.get('/plans/1')).body).toBe('a stub');
  });

  test('that returns undefined leaves the call to the 404 and the 405', async () => {
    const client = clientOf(server);
    const { status, body } = await client.get('/plans/none');
    expect([status, body.title]).toEqual([404, 'Unknown path']);
    expect((await call('/customers/none', { method: unused })).status).toBe(405);
    expect((await request(server.app).options('/measurements')).status).toBe(204);
  });

  test('may be a router whose default is a 404', async () => {
    const app = {
      fetch: async (sent: Request) =>
        sent.url.endsWith('/own') ? Response.json(1) : new Response('404', { status: 404 }),
    };
    const mock = await createMockServer({
      dataset: 'empty',
      routes: async (request) => {
        const response = await app.fetch(request);
        return response.status === 404 ? undefined : response;
      },
    });
    const client = clientOf(mock);
    expect((await client.get('/own')).body).toBe(1);
    expect((await client.get('/onw')).body.title).toBe('Unknown path');
  });

  test('is in the journal, limited, and fails by a fault of its path', async () => {
    const client = clientOf(server);
    const account = server.account(client.token);
    account.faults.add({ path: '/plans/{id}', kind: 'status', status: 503 });
    expect((await client.get('/plans/1')).status).toBe(503);
    expect((await client.get('/plans/1')).status).toBe(200);
    expect(account.journal.list()).toMatchObject([
      { path: '/plans/1', status: 503, fault: 1 },
      { path: '/plans/1', status: 200, outcome: 'answered' },
    ]);
    account.decisions.change({ 'rate-limit': '1/1m' });
    await client.get('/plans/1');
    expect((await client.get('/plans/1')).status).toBe(429);
  });

  test('refuses with a problem that it throws', async () => {
    const { status, body } = await clientOf(server).get('/refuses');
    expect([status, body.detail]).toEqual([404, 'There is no such plan.']);
  });

  test.each([
    ['/fails', 'out of order'],
    ['/fails-silently', 'it threw an error without a message'],
    ['/fails-in-a-sentence', 'It is out of order'],
    ['/text', 'it returned "text"; expected a Response or undefined'],
    ['/null', 'it returned null; expected a Response or undefined'],
    ['/error', 'it returned Response.error(); expected one with a status'],
    ['/used', 'it returned a Response whose body was read; expected a new one'],
    ['/strings', 'A piece of the body is "a string"; expected a Uint8Array'],
    ['/endless', 'The body is larger than the limit of 10485760 bytes'],
  ])('that fails is a 500 that says how: %s', async (path, why) => {
    const { status, body } = await clientOf(server).get(path);
    const detail = `The option 'routes' failed to answer GET ${path}: ${why}. The log has the stack, unless logLevel is silent.`;
    expect([status, body.detail]).toEqual([500, detail]);
  });

  test('has up to 10 MB in its body, and what is longer is read no further', async () => {
    expect((await (await call('/10-mb')).arrayBuffer()).byteLength).toBe(10 * 2 ** 20);
    cancelled.length = 0;
    expect((await call('/endless')).status).toBe(500);
    expect(cancelled).toMatchObject([{ message: expect.stringContaining('10485760 bytes') }]);
  });
});

describe('the Request', () => {
  const AUTHORIZED = 'Authorization: Bearer any\r\nConnection: close';

  test('has decoded bytes, the fields that describe them, and the URL that was called', async () => {
    const mount = express().use(
      '/mounted',
      (await createMockServer({ basePath: '/v1', routes: HANDLES['/echo'] as Routes })).app,
    );
    await request(mount)
      .post('/mounted/v1/anything?a=1')
      .set({ Authorization: 'Bearer t', 'Content-Type': 'text/plain', Host: 'billing.example:80' })
      .set({ 'Content-Encoding': 'gzip', 'X-Own': 'yes' })
      .send(gzipSync('compressed'));
    const { fields, ...others } = received.pop() ?? {};
    expect(others).toEqual({
      url: 'http://billing.example/mounted/v1/anything?a=1',
      text: 'compressed',
    });
    expect(fields).toMatchObject({ 'content-type': 'text/plain', 'x-own': 'yes' });
    expect(Object.keys(fields ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(content-(encoding|length)|connection)$/)]),
    );
  });

  test('has all cookies as one field, and a URL whatever the Host is', async () => {
    const head = `POST /echo HTTP/1.1\r\nHost: a/b c\r\n${AUTHORIZED}\r\nCookie: a=1\r\nCookie: b=2`;
    expect(
      (await sendRaw(url, `${head}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`))
        .status,
    ).toBe(200);
    const { fields, ...others } = received.pop() ?? {};
    expect(others).toEqual({ url: 'http://a/echo', text: 'hi' });
    expect(fields).toMatchObject({ cookie: 'a=1; b=2' });
    expect(fields).not.toHaveProperty('transfer-encoding');
  });

  test.each(['GET', 'HEAD'])('of %s has no body', async (method) => {
    const head = `${method} /echo HTTP/1.1\r\nHost: h\r\n${AUTHORIZED}\r\nContent-Length: 2`;
    expect((await sendRaw(url, `${head}\r\n\r\nhi`)).status).toBe(200);
    expect(received.pop()?.text).toBe('');
  });

  test('is none for a method that it forbids', async () => {
    const head = `TRACE /plans/1 HTTP/1.1\r\nHost: h\r\n${AUTHORIZED}\r\n\r\n`;
    expect((await sendRaw(url, head)).status).toBe(404);
  });

  test('has the scheme that was called', async () => {
    const response = await call('https://billing.example/plans/1');
    expect(await response.json()).toEqual({
      method: 'GET',
      url: 'https://billing.example/plans/1',
    });
  });

  test.each(['/never', '/stream'])('ends with its caller: %s', async (path) => {
    const mock = await createMockServer({ routes });
    const controller = new AbortController();
    const headers = { Authorization: 'Bearer t' };
    cancelled.length = 0;
    const answer = mock.fetch(path, { headers, signal: controller.signal });
    await until(() => mock.account('t').journal.list().length > 0);
    controller.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    await until(() => mock.account('t').journal.list()[0]?.outcome === 'aborted');
    if (path === '/stream') expect(cancelled).toMatchObject([{ message: 'enough' }]);
    else expect(waiting.pop()?.reason).toMatchObject({ message: 'enough' });
  });
});

describe('the Response', () => {
  test('keeps every Set-Cookie, and says itself how it is sent', async () => {
    const { headers, text } = await clientOf(server).get('/cookies');
    expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'content-length': '4' });
    expect(text).toBe('text');
    const head = await clientOf(server).head('/cookies');
    expect(head.headers).toMatchObject({ 'content-length': '4' });
  });

  test('of fetch is decoded, and one that is made here has the bytes that it says', async () => {
    const fetched = await clientOf(server).get('/other').buffer(true);
    expect([fetched.text, fetched.headers['content-encoding']]).toEqual([
      'from another service',
      undefined,
    ]);
    const made = await clientOf(server).get('/compressed').buffer(true);
    expect([made.text, made.headers['content-encoding']]).toEqual(['compressed here', 'gzip']);
  });
});

test('handlers of Express answer before server.app', async () => {
  const app = express();
  app.get('/me', (_request, response) => response.json({ name: 'Robin' }));
  app.use(server.app);
  expect((await request(app).get('/me')).body).toEqual({ name: 'Robin' });
  expect((await request(app).get('/measurements')).status).toBe(401);
});

describe('the option routes', () => {
  const NONE =
    "The option 'routes' is {}; expected a function that takes a Request and returns a Response";
  const ITSELF =
    "The option 'routes' is a function; expected a function that takes a Request and returns a Response, no Express app or router.";
  test.each<[string, unknown, string]>([
    ['an object', {}, NONE],
    ['an app', express(), `${ITSELF} ${NOT_EXPRESS}`],
    ['a router', express.Router(), `${ITSELF} ${NOT_EXPRESS}`],
  ])('is not %s', async (_what, given, sentence) => {
    await expect(createMockServer({ routes: given as Routes })).rejects.toThrow(sentence);
  });

  test.each<[string, unknown]>([
    ['a handler', (_request: unknown, response: express.Response) => void response.json(1)],
    ['a handler that reads first', ({ query }: express.Request) => query.page],
    ['a middleware', (_request: unknown, _response: unknown, next: () => void) => next()],
    ['what takes a router', (router: express.Router) => void router.get('/', () => undefined)],
  ])('is not %s of Express, as its first call says', async (_what, given) => {
    const mock = await createMockServer({ dataset: 'empty', routes: given as Routes });
    const { status, body } = await clientOf(mock).get('/me');
    expect([status, body.detail]).toEqual([500, expect.stringContaining(NOT_EXPRESS)]);
  });
});
