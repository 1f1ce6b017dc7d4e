import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from '../unfaked-time.js';

/** How long header fields and a whole request may take; after that, a 408. */
export const HEADERS_TIMEOUT_MS = 60_000;
export const REQUEST_TIMEOUT_MS = 300_000;

/** Whether a request came over HTTP/2; its version may lie, since the HTTP/1 parser accepts 2.0. */
export function isHttp2(message: IncomingMessage): boolean {
  return 'stream' in message;
}

/**
 * Watches the connections of a server, including those that Node hands over on CONNECT. Returns a
 * function that closes idle connections at once and every other one after its latest response, or
 * after `graceMs`, and resolves when all are closed.
 */
export function watchConnections(server: Server): (graceMs: number) => Promise<void> {
  const open = new Set<Duplex>();
  const latest = latestResponses(server);
  let isEnding = false;
  const watch = (connection: Duplex) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    // Node removes its own listener when it hands a connection over; a reset would end the process.
    connection.on('error', () => undefined);
  };
  server.on('connection', watch);
  server.on('secureConnection', watch);
  server.prependListener('request', (_request, response) => {
    if (isEnding) response.setHeader('Connection', 'close');
  });
  closeWaitingResponses(server);

  return async (graceMs) => {
    const underWay = [...open];
    isEnding = true;
    // A TLS server has a connection below each secure one, which ends with it.
    for (const connection of underWay) {
      if (!('setSecureContext' in server) || 'encrypted' in connection) {
        endAfter(latest.get(connection), connection);
      }
    }
    const timer = setTimeout(() => {
      for (const connection of underWay) connection.destroy();
    }, graceMs);
    await Promise.all(
      underWay.map((connection) => new Promise((resolve) => connection.once('close', resolve))),
    );
    clearTimeout(timer);
    isEnding = false;
  };
}

/** Not `closeIdleConnections()`: it also destroys those whose ended response is not sent yet. */
function endAfter(response: ServerResponse | undefined, connection: Duplex): void {
  if (!response || response.closed) return void connection.destroy();
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('close', () => connection.end());
}

/** Emits `close` on responses that await their turn when their connection ends; Node does not. */
function closeWaitingResponses(server: Server): void {
  const waitingOn = new WeakMap<Duplex, Set<ServerResponse>>();
  const watch = ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (response.socket) return;
    const waiting = waitingOn.get(socket) ?? watchEnd(socket);
    waiting.add(response);
    response.once('socket', () => waiting.delete(response));
  };
  const watchEnd = (socket: Duplex) => {
    const waiting = new Set<ServerResponse>();
    waitingOn.set(socket, waiting);
    socket.once('close', () => {
      for (const response of waiting) response.emit('close');
    });
    return waiting;
  };
  server.prependListener('request', watch);
  server.prependListener('checkExpectation', watch);
}

export function latestResponses(server: Server): Pick<WeakMap<Duplex, ServerResponse>, 'get'> {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const note = ({ socket }: IncomingMessage, response: ServerResponse) => {
    latest.set(socket, response);
  };
  server.prependListener('request', note);
  server.prependListener('checkExpectation', note);
  return latest;
}
