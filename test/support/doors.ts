import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import express from 'express';
import supertest from 'supertest';
import { createMockServer, type MockServerOptions } from '../../src/index.js';
import { createCertificate } from './certificates.js';
import { createViteApp, startVite } from './vite.js';

/** A request that can take any way to the mock. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** What a caller receives of the response before it breaks off. */
export interface Seen {
  readonly status: number | undefined;
  /** The header fields in lower case, without those that differ with time and the connection. */
  readonly fields: Readonly<Record<string, string | string[]>>;
  readonly text: string;
  /** Why the response is incomplete. */
  readonly failure: string | undefined;
  readonly durationMs: number;
}

/** A way in which requests reach the mock. */
export interface Door {
  call(call: Call): Promise<Seen>;
  close(): unknown;
}

/** Records what arrives. */
interface Notes {
  begin(status: number | undefined, fields: object): void;
  readonly pieces: Uint8Array[];
}

const OF_CONNECTION = ['date', 'connection', 'keep-alive', 'transfer-encoding', ':status'];

/** A door whose calls `ask` sends. */
function doorOf(ask: (call: Call, notes: Notes) => Promise<unknown>, close: () => unknown): Door {
  return {
    close,
    async call(call) {
      const startedAt = performance.now();
      const head = { status: undefined as number | undefined, fields: {} };
      const pieces: Uint8Array[] = [];
      const begin = (status: number | undefined, fields: object) => {
        const shown = Object.entries(fields).filter(([name]) => !OF_CONNECTION.includes(name));
        Object.assign(head, { status, fields: Object.fromEntries(shown) });
      };
      const failure = await ask(call, { begin, pieces }).then(
        () => undefined,
        ({ message, cause }: Error & { readonly cause?: NodeJS.ErrnoException }) =>
          cause ? `${message}: ${cause.code}, ${cause.message}` : message,
      );
      const text = Buffer.concat(pieces).toString();
      return { ...head, text, failure, durationMs: performance.now() - startedAt };
    },
  };
}

async function receive(message: IncomingMessage, { begin, pieces }: Notes): Promise<void> {
  begin(message.statusCode, message.headers);
  for await (const piece of message) pieces.push(piece);
}

/** Sends each call over a new connection. */
function overHttp(url: string, close: () => unknown, options: https.RequestOptions = {}): Door {
  const { request } = url.startsWith('https') ? https : http;
  const ask = ({ path, body, ...call }: Call, notes: Notes) =>
    new Promise((resolve, reject) => {
      request(`${url}${path}`, { ...call, agent: false, ...options }, (message) =>
        resolve(receive(message, notes)),
      )
        .once('error', reject)
        .end(body);
    });
  return doorOf(ask, close);
}

function overFetch(send: typeof fetch, url: string, close: () => unknown): Door {
  return doorOf(async ({ path, body = null, ...call }, { begin, pieces }) => {
    const answered = await send(`${url}${path}`, { ...call, body });
    const cookies = answered.headers.getSetCookie();
    begin(answered.status, {
      ...Object.fromEntries(answered.headers),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    });
    for await (const piece of answered.body ?? []) pieces.push(piece);
  }, close);
}

async function listening(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Vite with the plugin, over HTTPS. */
async function openVite({ stubs, routes }: MockServerOptions) {
  const { tlsCert, tlsKey } = createCertificate('DNS:localhost');
  const config = `
    import { usageBillingMock } from 'usage-billing-mock/vite';
    const options = { path: '/billing', stubs: ${JSON.stringify(stubs)}, routes: ${routes} };
    const server = { https: ${JSON.stringify({ cert: tlsCert, key: tlsKey })} };
    export default { server, plugins: [usageBillingMock(options)] };
  `;
  const { url } = await startVite(createViteApp({ 'vite.config.mjs': config }));
  return { url, ca: readFileSync(tlsCert) };
}

/** Opens each door over its own mock. The function in `routes` must refer to nothing outside it. */
export const DOORS = {
  async 'a socket'(options: MockServerOptions) {
    const server = await createMockServer(options);
    return overHttp(await server.start(), server.stop);
  },

  async 'a socket below TLS'(options: MockServerOptions) {
    const files = createCertificate('DNS:localhost', 'IP:127.0.0.1');
    const server = await createMockServer({ ...options, ...files });
    // Not TLS 1.3, whose tickets make libuv take a reset right behind them for a normal end.
    const trusting = { ca: readFileSync(files.tlsCert), maxVersion: 'TLSv1.2' } as const;
    return overHttp(await server.start(), server.stop, trusting);
  },

  async "somebody else's Express app"(options: MockServerOptions) {
    const { app } = await createMockServer(options);
    const host = http.createServer(express().use('/mock', app));
    return overHttp(`http://${await listening(host)}/mock`, () => host.close());
  },

  async "somebody else's Express app below TLS"(options: MockServerOptions) {
    const { app } = await createMockServer(options);
    const { tlsCert, tlsKey } = createCertificate('IP:127.0.0.1');
    const [cert, key] = [readFileSync(tlsCert), readFileSync(tlsKey)];
    const host = https.createServer({ cert, key }, express().use('/mock', app));
    return overHttp(`https://${await listening(host)}/mock`, () => host.close(), { ca: cert });
  },

  async 'the global fetch'(options: MockServerOptions) {
    const server = await createMockServer(options);
    return overFetch(fetch, await server.start(), server.stop);
  },

  async 'server.fetch'(options: MockServerOptions) {
    const server = await createMockServer(options);
    return overFetch(server.fetch, 'http://localhost', server.stop);
  },

  async 'supertest upon server.app'(options: MockServerOptions) {
    const server = await createMockServer(options);
    return doorOf(async ({ method, path, headers, body }, notes) => {
      const name = method.toLowerCase() as 'get' | 'post';
      const seen = await supertest(server.app)
        [name](path)
        .set(headers)
        .buffer(true)
        .parse((message, done) => {
          receive(message as unknown as IncomingMessage, notes).then(
            () => done(null, ''),
            (error) => done(error, ''),
          );
        })
        .send(body);
      notes.begin(seen.status, seen.headers);
    }, server.stop);
  },

  async 'HTTP/1.1 below Vite'(options: MockServerOptions) {
    const { url, ca } = await openVite(options);
    return overHttp(`${url}/billing`, () => undefined, { ca });
  },

  async 'HTTP/2 below Vite'(options: MockServerOptions) {
    const { url, ca } = await openVite(options);
    const session = connect(url, { ca });
    return doorOf(
      async ({ method, path, headers, body }, { begin, pieces }) => {
        const fields = { ':method': method, ':path': `/billing${path}`, ...headers };
        const stream = session.request(fields, { endStream: body === undefined });
        stream.once('response', (received) => begin(received[':status'], received));
        if (body !== undefined) stream.end(body);
        for await (const piece of stream) pieces.push(piece);
      },
      () => session.close(),
    );
  },
};
