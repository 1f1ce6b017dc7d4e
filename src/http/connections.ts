import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { LastAnswers } from './last-answers.js';
import { clearTimeout, setImmediate, setTimeout } from './real-time.js';

/** How long answers under way may take to be sent. */
const GRACE_MS = 500;

/**
 * Watches the connections of a server, including those that Node hands over (CONNECT) and forgets.
 * Returns a function that lets the answers under way be their last, waits until they are closed, and
 * closes them itself after half a second.
 */
export function watchConnections(server: Server, lastAnswers: LastAnswers): () => Promise<void> {
  const open = new Set<Duplex>();
  const watch = (connection: Duplex) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    // Node removes its own listener from a connection that it hands over: a reset would end the process.
    connection.on('error', () => undefined);
  };
  server.on('connection', watch);
  server.on('secureConnection', watch);
  closeWaitingAnswers(server);

  return async () => {
    const underWay = [...open];
    lastAnswers.begin(server);
    closeUnused(underWay);
    const timer = setTimeout(() => {
      for (const connection of underWay) connection.destroy();
    }, GRACE_MS);
    await Promise.all(
      underWay.map((connection) => new Promise((resolve) => connection.once('close', resolve))),
    );
    clearTimeout(timer);
    lastAnswers.end();
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

/** Closes the answers that wait for their turn when their connection ends: Node forgets them. */
function closeWaitingAnswers(server: Server): void {
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
