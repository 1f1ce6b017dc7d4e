import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clearTimeout, setImmediate, setTimeout } from '../unfaked-time.js';

/** How long header fields and a whole request may take; after that, a 408. */
export const HEADERS_TIMEOUT_MS = 60_000;
export const REQUEST_TIMEOUT_MS = 300_000;

/** Whether a request came over HTTP/2; its version may lie, since the HTTP/1 parser accepts 2.0. */
export function isHttp2(message: IncomingMessage): boolean {
  return 'stream' in message;
}

/**
 * Watches the connections of a server, including those that Node hands over on CONNECT. Returns a
 * function that closes each connection after its responses under way, or after `graceMs`, and
 * resolves when all are closed.
 */
export function watchConnections(
  server: Server,
  lastResponses: LastResponses,
): (graceMs: number) => Promise<void> {
  const open = new Set<Duplex>();
  const watch = (connection: Duplex) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    // Node removes its own listener when it hands a connection over; a reset would end the process.
    connection.on('error', () => undefined);
  };
  server.on('connection', watch);
  server.on('secureConnection', watch);
  closeWaitingResponses(server);

  return async (graceMs) => {
    const underWay = [...open];
    lastResponses.begin(server);
    closeUnused(underWay);
    const timer = setTimeout(() => {
      for (const connection of underWay) connection.destroy();
    }, graceMs);
    await Promise.all(
      underWay.map((connection) => new Promise((resolve) => connection.once('close', resolve))),
    );
    clearTimeout(timer);
    lastResponses.end();
  };
}

/** Closes connections that browsers opened in advance; bytes that have arrived are read first. */
function closeUnused(connections: readonly Duplex[]): void {
  const close = () => {
    for (const connection of connections as Socket[])
      if (connection.bytesRead === 0) connection.destroy();
  };
  setImmediate(() => setImmediate(close));
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

/** Ends each connection after the responses that have begun, when a server stops. */
export interface LastResponses {
  /** Passes requests to the app, except those that follow a connection's last response. */
  readonly answer: RequestListener;
  /** Closes idle connections now, and every other one after its response. */
  begin(server: Server): void;
  /** Keeps connections open again. */
  end(): void;
}

export function createLastResponses(app: RequestListener): LastResponses {
  // Not a Set: tables that it has outgrown keep old responses until a full garbage collection.
  const underWay: ServerResponse[] = [];
  /** Connections whose last response has been chosen. */
  const dismissed = new WeakSet<Socket>();
  /** Those whose last response has been sent, but which the client has not closed yet. */
  const lingering = new Set<Socket>();
  let ending: Server | undefined;

  /** Waits until ended responses are sent: Node calls their connections idle before they are. */
  function closeIdle(): void {
    if (lingering.size > 0 || underWay.some(({ writableEnded }) => writableEnded)) return;
    ending?.closeIdleConnections();
  }

  /** Closes the connection after this response, and tells the client so. */
  function dismiss(response: ServerResponse): void {
    const { socket } = response.req;
    dismissed.add(socket);
    if (!response.headersSent) response.setHeader('Connection', 'close');
    // Node would close both sides.
    socket.destroySoon = () => linger(socket);
    response.once('finish', () => linger(socket));
  }

  /**
   * Closes only this side of a connection (RFC 9112, section 9.6). If both were closed while
   * requests lie unread, the system would discard what the client has not received yet.
   */
  function linger(socket: Socket): void {
    if (lingering.has(socket)) return;
    lingering.add(socket);
    socket.end();
    socket.once('close', () => {
      lingering.delete(socket);
      closeIdle();
    });
  }

  return {
    answer(request, response) {
      if (dismissed.has(request.socket)) return void request.resume();
      underWay.push(response);
      if (ending) dismiss(response);
      response.once('close', () => {
        underWay.splice(underWay.indexOf(response), 1);
        closeIdle();
      });
      app(request, response);
    },
    begin(server) {
      ending = server;
      // Of several responses on one connection, the last one ends it.
      const last = new Map(underWay.map((response) => [response.req.socket, response]));
      for (const response of last.values()) dismiss(response);
      closeIdle();
    },
    end() {
      ending = undefined;
    },
  };
}
