import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Decisions } from '../../decisions/ledger.js';
import { isLoopback } from '../../service/origins.js';
import { createLastAnswers, limitConnections, watchConnections } from './connections.js';
import { limitPipelining } from './limit-pipelining.js';
import { answerParserErrors } from './parser-errors.js';
import { type Certificate, createSecureServer, findConnections } from './secure-server.js';
import { continueOnRead } from './socket-request.js';

/** A server of the app, which does not listen yet. */
export interface HttpServer {
  readonly server: Server;
  /** Ends the connections that are open; answers under way have half a second to leave. */
  endConnections(): Promise<void>;
  /** What https is served with; it is plain HTTP if this is left out. */
  readonly certificate?: Certificate;
}

/** A socket that the app is served on. */
export interface Listener {
  /** Where it listens, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Stops listening; answers under way have half a second to leave. */
  close(): Promise<void>;
}

/** Where to listen. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** The path below which the app answers; empty at the root. */
  readonly basePath: string;
}

/** Creates servers of the app, which also answer what their parser refuses; of https with a certificate. */
export function createHttpServers(
  app: Express,
  decisions: () => Decisions,
  logger: Logger,
): (certificate?: Certificate) => HttpServer {
  // The app itself requires the Host header, and explains it where Node would not.
  const options = { requireHostHeader: false, ...classesOf(app) };
  return (certificate) => {
    const lastAnswers = createLastAnswers(app);
    const handle = limitPipelining(lastAnswers.answer);
    const secure = certificate && createSecureServer(certificate, options, handle);
    const server: Server = secure ?? createServer(options, handle);
    server.on('checkExpectation', handle);
    limitConnections(server, logger);
    continueOnRead(server);
    answerParserErrors(server, decisions, logger, secure && findConnections(secure));
    const endConnections = watchConnections(server, lastAnswers);
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
  { host, port, basePath }: Address,
): Promise<Listener> {
  await new Promise<void>((resolve, reject) => {
    // It stays: an error while it listens, as of a connection that cannot be accepted, ends nothing.
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: urlOf(server, certificate) + basePath,
    async close() {
      // The close of node:http also destroys connections on which answers are still being sent.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      await endConnections();
      await closed;
      server.close();
    },
  };
}

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
