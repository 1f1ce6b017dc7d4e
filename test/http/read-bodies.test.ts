import { gzipSync } from 'node:zlib';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { createMockServer } from '../../src/index.js';

const REFS = '/events/delete-by-refs';
const REF = 'acme-2026-03-31-001';
const EVERY = { type: () => true };

const server = await createMockServer({
  stubs: [{ method: 'POST', path: '/login', needsToken: false, body: { of: '{{body.user}}' } }],
});

let opened = 0;

/** An app of somebody else that has the mock behind middleware, and an account. */
function behind(...middleware: RequestHandler[]) {
  const app = express();
  for (const one of middleware) app.use(one);
  app.use(server.app);
  opened += 1;
  const token = `read-${opened}`;
  const send = (method: 'post' | 'delete', path: string) =>
    request(app)[method](path).set('Authorization', `Bearer ${token}`);
  return { send, account: server.account(token) };
}

/** Reads the body to its end, and leaves what `left` says. */
function reader(left: (bytes: Buffer) => object): RequestHandler {
  return async (received, _response, next) => {
    const pieces: Buffer[] = [];
    for await (const piece of received) pieces.push(piece);
    Object.assign(received, left(Buffer.concat(pieces)));
    next();
  };
}

describe.each<[string, RequestHandler]>([
  ['express.json()', express.json()],
  ['express.raw()', express.raw(EVERY)],
  ['express.text()', express.text(EVERY)],
  [
    'express.json() that keeps rawBody',
    express.json({ verify: (received, _, rawBody) => Object.assign(received, { rawBody }) }),
  ],
])('behind %s', (_name, parser) => {
  test('the service and the control plane get the body that was read', async () => {
    const { send, account } = behind(parser);
    const added = await send('post', '/__control/faults').send({ kind: 'status', status: 503 });
    expect([added.status, account.faults.list()]).toMatchObject([201, [{ kind: 'status' }]]);
    expect((await send('post', REFS).send({ refs: [REF] })).status).toBe(503);
    const deleted = await send('post', REFS).send({ refs: [REF] });
    expect([deleted.status, deleted.body.events]).toMatchObject([200, [{ ref: REF }]]);
    expect(account.journal.list().at(-1)).toMatchObject({ body: { refs: [REF] } });
  });

  test('mistakes in a body, and a missing one, are told as without it', async () => {
    const { send } = behind(parser);
    const { status, body } = await send('post', REFS).send({ refs: [1] });
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/refs/0', received: 1 }]]);
    const missing = await send('post', REFS).set('Content-Type', 'application/json');
    expect(missing.body.detail).toContain('No body was received');
  });

  test('a body that was decompressed is not decompressed again', async () => {
    const { send } = behind(parser);
    const { status, body } = await send('post', REFS)
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((bytes) => bytes)
      .send(gzipSync(JSON.stringify({ refs: [REF] })));
    expect([status, body.events]).toMatchObject([200, [{ ref: REF }]]);
  });
});

test('a text that middleware left as rawBody is the body', async () => {
  const { send } = behind(reader((bytes) => ({ rawBody: bytes.toString() })));
  expect((await send('post', REFS).send({ refs: [REF] })).status).toBe(200);
});

test('a stub gets the form that express.urlencoded() has read', async () => {
  const { send } = behind(express.urlencoded());
  const { body } = await send('post', '/login').type('form').send('user=Ada+L&tag=a&tag=b');
  expect(body).toEqual({ of: 'Ada L' });
});

test('fields that no form could be made of again are refused with the cause', async () => {
  const { send } = behind(reader(() => ({ body: { user: { name: 'Ada' } } })));
  const { status, body } = await send('post', '/login').type('form').send('user[name]=Ada');
  expect([status, body.detail]).toEqual([500, expect.stringContaining('keep the bytes')]);
});

describe.each<[string, RequestHandler]>([
  ['has discarded it', reader(() => ({}))],
  [
    'decodes it',
    (received, _response, next) => {
      received.setEncoding('utf8');
      next();
    },
  ],
])('a body behind middleware that %s', (_name, middleware) => {
  test.each([REFS, '/__control/faults'])('is refused by %s with the cause', async (path) => {
    const { send } = behind(middleware);
    const { status, body } = await send('post', path).type('json').send('{"refs":["x"]}');
    expect([status, body.type]).toEqual([500, 'urn:usage-billing-mock:problem:internal-error']);
    expect(body.detail).toBe(
      'Middleware in front of the mock has read or decoded the body; expected its bytes, or what express.json() leaves as request.body. Put the mock in front of that middleware, or keep the bytes as request.rawBody.',
    );
  });

  test('is not missed where no body is read', async () => {
    const { send } = behind(middleware);
    const { status } = await send('delete', '/contracts/65b000000000000000000001')
      .type('json')
      .send('{"why":"x"}');
    expect(status).toBe(200);
  });
});
