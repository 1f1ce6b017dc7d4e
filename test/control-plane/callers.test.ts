import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createMockServer } from '../../src/index.js';
import { newFolder } from '../support/fixture.js';

const dataset = 'empty';
const open = await createMockServer({ dataset });
const guarded = await createMockServer({ dataset, controlToken: 'secret' });

/** An address of this machine other than loopback; connections to it come from it. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, address }) => !internal && !address.startsWith('fe80'))?.address;
const fromOutside = outside === undefined ? test.skip : test;
const note = outside === undefined ? ' (skipped: this machine has only loopback addresses)' : '';

const listeners: Server[] = [];
afterAll(() => listeners.map((listener) => listener.close()));

/** Serves the app with a listener other than the mock's. */
async function listen({ app }: typeof open, at: { port: number; host: string } | { path: string }) {
  const listener = createServer(app);
  listeners.push(listener);
  await new Promise<void>((resolve) => listener.listen(at, resolve));
  return (listener.address() as AddressInfo).port;
}

/** Calls the control plane as a test on this machine would, whoever sends it. */
async function call(
  to: { host: string; port: number } | { socketPath: string },
  path: string,
  headers: object = {},
) {
  const sent = { Host: 'localhost', Authorization: 'Bearer t', ...headers };
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request({ ...to, path: `/__control${path}`, headers: sent }, resolve)
      .once('error', reject)
      .end(),
  );
  return { status: response.statusCode, body: (await json(response)) as { detail: string } };
}

describe('a listener of your own, without a control token', () => {
  const all = { port: 0, host: outside?.includes(':') ? '::' : '0.0.0.0' };

  fromOutside(`refuses another address, whatever it says of itself${note}`, async () => {
    const to = { host: String(outside), port: await listen(open, all) };
    for (const headers of [
      {},
      { Origin: 'http://localhost' },
      { 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
      { 'X-Control-Token': 'guessed' },
    ]) {
      const { status, body } = await call(to, '/account', headers);
      expect([status, body.detail]).toEqual([
        403,
        `The request comes from the address '${outside}'; expected a loopback address such as 127.0.0.1, because the control plane has no token. Start the mock with --control-token (controlToken in the library), and send the token in X-Control-Token.`,
      ]);
    }
    expect(open.tokens()).toEqual([]);
  });

  fromOutside(`answers health and readiness to all${note}`, async () => {
    const to = { host: String(outside), port: await listen(open, all) };
    for (const path of ['/health', '/ready']) expect((await call(to, path)).status).toBe(200);
  });

  fromOutside(`answers another address that has the control token${note}`, async () => {
    const to = { host: String(outside), port: await listen(guarded, all) };
    expect((await call(to, '/account')).status).toBe(403);
    expect((await call(to, '/account', { 'X-Control-Token': 'secret' })).status).toBe(200);
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::1', '::1'],
    ['::', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
  ])('that listens on %s answers %s', async (host, from) => {
    const port = await listen(open, { port: 0, host });
    expect((await call({ host: from, port }, '/account')).status).toBe(200);
  });

  test('refuses a connection without an address, as that of a Unix socket', async () => {
    const path = join(newFolder(), 'mock.sock');
    await listen(open, { path });
    const { status, body } = await call({ socketPath: path }, '/account');
    expect(status).toBe(403);
    expect(body.detail).toContain('The request comes from a connection without an address;');
  });
});

test('the mock that listens on a loopback address answers it, and calls in process', async () => {
  const server = await createMockServer({ dataset });
  const headers = { Authorization: 'Bearer t' };
  const url = await server.start();
  const responses = [
    await fetch(`${url}/__control/account`, { headers }),
    await server.fetch('/__control/account', { headers }),
  ];
  await server.stop();
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
});
