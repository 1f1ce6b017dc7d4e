import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Decisions } from '../billing/decisions.js';
import { continueOnRead } from './continue-on-read.js';
import { answerParserErrors } from './parser-problems.js';

/** How long `close` waits for answers that are under way. */
const GRACE_MS = 500;

/** A socket that the app is served on. */
export interface Listener {
  /** Where it listens, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Stops listening; answers under way have half a second to leave. */
  close(): Promise<void>;
}

/** Makes servers of the app, which do not listen yet and answer what their parser refuses as well. */
export function createHttpServers(
  app: Express,
  decisions: Decisions,
  logger: Logger,
): () => Server {
  const classes = classesOf(app);
  return () => {
    // The app itself asks for the Host header, and says so where Node would not.
    const server = createServer({ requireHostHeader: false, ...classes }, app);
    server.on('checkExpectation', app);
    continueOnRead(server);
    answerParserErrors(server, decisions, logger);
    return server;
  };
}

/**
 * Requests and responses that are born with the prototypes which Express would give each of them:
 * an object whose prototype is changed is slow from then on, and takes half the time of a request.
 */
function classesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** Listens on a host and port; port 0 takes a free one. Rejects if that cannot be had. */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listener> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { url: urlOf(server), close: () => close(server) };
}

/** An address that a client can call: the loopback address where the server listens on all. */
function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${family === 'IPv6' ? `[${reachable}]` : reachable}:${port}`;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
