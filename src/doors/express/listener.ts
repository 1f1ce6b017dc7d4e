import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Decisions } from '../../decisions/ledger.js';
import { isLoopback } from '../../service/origins.js';
import { continueOnRead } from './app.js';
import {
  createLastResponses,
  limitConnections,
  limitPipelining,
  watchConnections,
} from './connections.js';
import { answerParserErrors } from './parser-errors.js';

/** A server of the app, which does not listen yet. */
export interface HttpServer {
  readonly server: Server;
  /** Ends the connections that are open; responses under way have half a second to leave. */
  endConnections(): Promise<void>;
  /** What https is served with; it is plain HTTP if this is left out. */
  readonly certificate?: Certificate;
}

/** A socket that the app is served on. */
export interface Listener {
  /** Where it listens, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Stops listening; responses under way have half a second to leave. */
  close(): Promise<void>;
}

/** Where to listen. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** The path below which the app answers; empty at the root. */
  readonly basePath: string;
}

/**
 * How long an idle connection stays open: longer than any common client keeps one, so that on a busy
 * machine none is closed just as a client sends its next request.
 */
const KEEP_ALIVE_MS = 310_000;

/** Creates servers of the app, which also answer what their parser refuses; of https with a certificate. */
export function createHttpServers(
  app: Express,
  decisions: () => Decisions,
  logger: Logger,
): (certificate?: Certificate) => HttpServer {
  // The app itself requires the Host header, and explains it where Node would not.
  const options = {
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...classesOf(app),
  };
  return (certificate) => {
    const lastResponses = createLastResponses(app);
    const handle = limitPipelining(lastResponses.answer);
    const secure = certificate && createSecureServer(certificate, options, handle);
    const server: Server = secure ?? createServer(options, handle);
    server.on('checkExpectation', handle);
    limitConnections(server, logger);
    continueOnRead(server);
    answerParserErrors(server, decisions, logger, secure && findConnections(secure));
    const endConnections = watchConnections(server, lastResponses);
    return { server, endConnections, ...(certificate && { certificate }) };
  };
}

/**
 * Requests and responses that are created with the prototypes that Express would give each of them:
 * an object whose prototype is changed is slow from then on, and costs half the time of a request.
 */
function classesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** Listens on a host and port; port 0 picks a free one. Rejects if the port is not available. */
export async function listen(
  { server, endConnections, certificate }: HttpServer,
  address: Address,
): Promise<Listener> {
  await new Promise<void>((resolve, reject) => {
    // It stays: an error while it listens, as of a connection that cannot be accepted, ends nothing.
    server.on('error', (error) => reject(cannotListen(error, address)));
    server.listen(address.port, address.host, resolve);
  });
  return {
    url: urlOf(server, certificate) + address.basePath,
    async close() {
      // `close()` of node:http also destroys connections that are still sending responses.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      await endConnections();
      await closed;
      server.close();
    },
  };
}

/** The error of an address that cannot be listened on, in a sentence that says what to do. */
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
 * An address that a client can call: the loopback address where the server listens on all, and its
 * name where the certificate is for that.
 */
function urlOf(server: Server, certificate: Certificate | undefined): string {
  const { address, family, port } = server.address() as AddressInfo;
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  const host = family === 'IPv6' ? `[${reachable}]` : reachable;
  if (!certificate) return `http://${host}:${port}`;
  const isNamed = isLoopback(reachable) && !certificate.covers(reachable);
  return `https://${isNamed && certificate.covers('localhost') ? 'localhost' : host}:${port}`;
}

/** What https is served with. */
export interface Certificate {
  /** The certificate, and those between it and its authority, in PEM. */
  readonly cert: Buffer;
  /** Its private key, in PEM. */
  readonly key: Buffer;
  /** Whether the certificate covers the address or host name. */
  covers(host: string): boolean;
}

/** Creates a server of https. Its module is loaded by those that need it alone. */
function createSecureServer(
  { cert, key }: Certificate,
  options: ServerOptions,
  app: RequestListener,
): SecureServer {
  const { createServer } = process.getBuiltinModule('node:https');
  return createServer({ ...options, cert, key }, app);
}

/**
 * Finds the connection below a TLS socket, which Node hides. Only that one can be reset, or answer a
 * client that speaks plain HTTP. Makes the TLS sockets of the server ones that can be reset.
 */
function findConnections(server: SecureServer): (secured: Socket) => Socket | undefined {
  const connections = new Map<string, Socket>();
  const find = (secured: Socket) => connections.get(endsOf(secured));
  server.on('connection', (connection: Socket) => {
    const ends = endsOf(connection);
    connections.set(ends, connection);
    connection.once('close', () => {
      if (connections.get(ends) === connection) connections.delete(ends);
    });
  });
  server.on('secureConnection', (secured: Socket) => {
    Object.assign(secured, { resetAndDestroy: () => find(secured)?.resetAndDestroy() });
  });
  return find;
}

/** Both sockets have the same ends, and no others have them as long as they are open. */
function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
