import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Decisions } from '../../../core/decisions/ledger.js';
import { isLoopback } from '../../../core/values/origins.js';
import { setImmediate } from '../unfaked-time.js';
import { continueOnRead } from './app.js';
import { HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS, watchConnections } from './connections.js';
import { answerBeforeExpress } from './errors-before-express.js';
import { limitPipelining } from './limit-pipelining.js';

export interface HttpServer {
  readonly server: Server;
  /** Closes the open connections; responses under way may take `graceMs`. */
  endConnections(graceMs: number): Promise<void>;
  /** If left out, the server speaks plain HTTP. */
  readonly certificate?: Certificate;
}

export interface Listener {
  /** Where it listens, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Stops listening; responses under way may take `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
  /** The prefix of every operation's path; may be empty. */
  readonly basePath: string;
}

/**
 * How long an idle connection stays open: longer than common clients keep one, so that the mock
 * never closes it just as a client sends its next request.
 */
const KEEP_ALIVE_MS = 310_000;

/** Creates HTTP or HTTPS servers for the app, which also answer requests that Node cannot parse. */
export function createHttpServers(
  app: Express,
  decisions: () => Decisions,
  logger: Logger,
): (certificate?: Certificate) => HttpServer {
  // The app itself requires the Host header, and says so in its error.
  const options = {
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...classesOf(app),
  };
  return (certificate) => {
    const handle = limitPipelining(app);
    const server: Server = certificate
      ? createSecureServer(certificate, options, handle)
      : createServer(options, handle);
    server.on('checkExpectation', handle);
    continueOnRead(server);
    answerBeforeExpress(server, decisions, logger);
    const endConnections = watchConnections(server);
    return { server, endConnections, ...(certificate && { certificate }) };
  };
}

/**
 * Classes that already have the prototypes which Express would set on each request and response.
 * Changing an object's prototype makes it slow: half the time of a request was spent on that.
 */
function classesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** Port 0 picks a free one. Rejects if the host or the port is not available. */
export async function listen(
  { server, endConnections, certificate }: HttpServer,
  address: Address,
): Promise<Listener> {
  await new Promise<void>((resolve, reject) => {
    // Never removed: a later error, as when accepting a connection, must not end the process.
    server.on('error', (error) => reject(cannotListen(error, address)));
    server.listen(address.port, address.host.replace(/^\[(.+)\]$/, '$1'), resolve);
  });
  return {
    url: urlOf(server, certificate) + address.basePath,
    async close(graceMs) {
      // `close()` takes connections that are still sending responses for idle.
      server.closeIdleConnections = () => undefined;
      const closed = new Promise((resolve) => server.close(resolve));
      await endConnections(graceMs);
      await closed;
      // A client in this process may not have seen its connection end: its next call would use it.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function cannotListen(error: unknown, { host, port }: Address): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const sentence = `Cannot listen on ${host}:${port}: ${REASONS[code ?? ''] ?? message}`;
  return Object.assign(new Error(sentence, { cause: error }), { code });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'the port is in use. Choose another with --port (port in the library), or 0 for a free one.',
  EACCES: 'permission denied. Choose a port above 1023 with --port (port in the library).',
  EADDRNOTAVAIL:
    'this machine does not have the address. Choose another with --host (host in the library).',
  ENOTFOUND: 'unknown host name. Choose another with --host (host in the library).',
};

/**
 * A URL that clients can call: a loopback address if the server listens on all addresses, and
 * `localhost` if the certificate covers only the name.
 */
function urlOf(server: Server, certificate: Certificate | undefined): string {
  const { address, family, port } = server.address() as AddressInfo;
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  const host = family === 'IPv6' ? `[${reachable}]` : reachable;
  if (!certificate) return `http://${host}:${port}`;
  const isNamed = isLoopback(reachable) && !certificate.covers(reachable);
  return `https://${isNamed && certificate.covers('localhost') ? 'localhost' : host}:${port}`;
}

export interface Certificate {
  /** The certificate and its intermediate certificates, in PEM. */
  readonly cert: Buffer;
  /** In PEM. */
  readonly key: Buffer;
  covers(host: string): boolean;
}

/** Loads `node:https` only if it is needed. */
function createSecureServer(
  { cert, key }: Certificate,
  options: ServerOptions,
  app: RequestListener,
): SecureServer {
  const { createServer } = process.getBuiltinModule('node:https');
  return createServer({ ...options, cert, key }, app);
}
