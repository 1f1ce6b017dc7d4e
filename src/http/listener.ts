import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Decisions } from '../billing/decisions.js';
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

/** A server of the app that does not listen: it answers what its parser refuses as well. */
export function createHttpServer(
  app: RequestListener,
  decisions: Decisions,
  logger: Logger,
): Server {
  // The app itself asks for the Host header, and says so where Node would not.
  const server = createServer({ requireHostHeader: false }, app);
  server.on('checkExpectation', app);
  answerParserErrors(server, decisions, logger);
  return server;
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
