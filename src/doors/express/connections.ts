import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { clearTimeout, setImmediate, setTimeout } from '../unfaked-time.js';

/** Whether a request came over HTTP/2, and not only says so: the parser of HTTP/1 lets `HTTP/2.0` pass. */
export function isHttp2(message: IncomingMessage): boolean {
  return 'stream' in message;
}

/** How long responses in progress may take when the mock stops. */
const GRACE_MS = 500;

/**
 * Watches the connections of a server, including those that Node hands over (CONNECT) and forgets.
 * Returns a function that lets the responses under way be their last, waits until they are closed, and
 * closes them itself after half a second.
 */
export function watchConnections(
  server: Server,
  lastResponses: LastResponses,
): () => Promise<void> {
  const open = new Set<Duplex>();
  const watch = (connection: Duplex) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    // Node removes its own listener from a connection that it hands over: a reset would end the process.
    connection.on('error', () => undefined);
  };
  server.on('connection', watch);
  server.on('secureConnection', watch);
  closeWaitingResponses(server);

  return async () => {
    const underWay = [...open];
    lastResponses.begin(server);
    closeUnused(underWay);
    const timer = setTimeout(() => {
      for (const connection of underWay) connection.destroy();
    }, GRACE_MS);
    await Promise.all(
      underWay.map((connection) => new Promise((resolve) => connection.once('close', resolve))),
    );
    clearTimeout(timer);
    lastResponses.end();
  };
}

/** Closes those on which nothing has come, as browsers open some in advance; what has come is read first. */
function closeUnused(connections: readonly Duplex[]): void {
  const close = () => {
    for (const connection of connections as Socket[])
      if (connection.bytesRead === 0) connection.destroy();
  };
  setImmediate(() => setImmediate(close));
}

/** Closes the responses that wait for their turn when their connection ends: Node forgets them. */
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

/** Knows the latest response on each connection of a server. */
export function latestResponses(server: Server): Pick<WeakMap<Duplex, ServerResponse>, 'get'> {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const note = ({ socket }: IncomingMessage, response: ServerResponse) => {
    latest.set(socket, response);
  };
  server.prependListener('request', note);
  server.prependListener('checkExpectation', note);
  return latest;
}

/** How many files can still be opened when connections have taken all others. */
const KEPT_FREE = 16;

/**
 * Closes connections for which the process could open no more files, and says so in the log, once; the
 * system would close them without a word, and then no file could be read or saved.
 */
export function limitConnections(server: Server, logger: Logger): void {
  server.once('listening', () => {
    const most = mostConnections();
    if (most === undefined) return;
    server.maxConnections = most;
    server.once('drop', () =>
      logger.warn(
        `Closed a new connection: ${most} are open, and this process cannot open any more files. Close connections, or raise the limit (ulimit -n).`,
      ),
    );
  });
}

/**
 * How many connections the process can have; undefined where the system does not say. Only Linux is
 * asked: the limit in Node's report can be 'unlimited' on macOS, which has another one beside it.
 */
function mostConnections(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, limit] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    if (limit === undefined) return undefined;
    return Math.max(1, Number(limit) - readdirSync('/proc/self/fd').length - KEPT_FREE);
  } catch {
    return undefined;
  }
}

/** Makes the responses that have begun the last ones of their connections, when a server ends. */
export interface LastResponses {
  /** The app, but that a request behind a last response is left unanswered. */
  readonly answer: RequestListener;
  /** Closes the connections that are idle, and from now on each other one after its response. */
  begin(server: Server): void;
  /** Keeps connections open again. */
  end(): void;
}

/** Watches the responses of an app on the connections of a server. */
export function createLastResponses(app: RequestListener): LastResponses {
  // No set: the tables that one outgrows keep every response of a while until all garbage is collected.
  const underWay: ServerResponse[] = [];
  /** Connections on which a response is the last one. */
  const dismissed = new WeakSet<Socket>();
  /** Those of them on which it has been sent, and that the client has not closed yet. */
  const lingering = new Set<Socket>();
  let ending: Server | undefined;

  /** Node regards a connection as idle although the end of a response is still to be sent on it. */
  function closeIdle(): void {
    if (lingering.size > 0 || underWay.some(({ writableEnded }) => writableEnded)) return;
    ending?.closeIdleConnections();
  }

  /** Tells the client that the connection is closed after this response, and does so. */
  function dismiss(response: ServerResponse): void {
    const { socket } = response.req;
    dismissed.add(socket);
    if (!response.headersSent) response.setHeader('Connection', 'close');
    // Node would close it whole.
    socket.destroySoon = () => linger(socket);
    response.once('finish', () => linger(socket));
  }

  /**
   * Closes this side of a connection, and leaves the other to the client (RFC 9112, section 9.6): where
   * requests that it sent ahead lie unread, the system would throw away what it has not received yet.
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

/** How many requests of one connection are answered at a time. */
const MOST_AT_ONCE = 16;

/** The requests of one connection. */
interface Line {
  underWay: number;
  isTurnDue: boolean;
  readonly waiting: (() => void)[];
}

/**
 * Makes the app answer no more than a few requests of one connection at a time, and begin them one by
 * one, each after those of other connections; further ones wait. Node takes up a thousand that were
 * sent at once, would hold the responses to all of them for a client that does not read, and would let
 * everybody else wait for them.
 */
export function limitPipelining(app: RequestListener): RequestListener {
  const lines = new WeakMap<Duplex, Line>();

  function takeTurn(line: Line): void {
    if (line.isTurnDue || line.waiting.length === 0) return;
    line.isTurnDue = true;
    setImmediate(() => {
      line.isTurnDue = false;
      if (line.underWay >= MOST_AT_ONCE) return;
      line.waiting.shift()?.();
      takeTurn(line);
    });
  }

  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { underWay: 0, isTurnDue: false, waiting: [] };
    lines.set(socket, line);
    const begin = () => {
      // A closed connection delivers no responses.
      if (socket.destroyed) return;
      line.underWay += 1;
      response.once('close', () => {
        line.underWay -= 1;
        takeTurn(line);
      });
      app(request, response);
    };
    if (line.underWay === 0 && line.waiting.length === 0) return begin();
    line.waiting.push(begin);
    takeTurn(line);
  };
}
