import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Makes the answers that have begun the last ones of their connections, when a server ends. */
export interface LastAnswers {
  /** The app, but that a request behind a last answer is left unanswered. */
  readonly answer: RequestListener;
  /** Closes the connections that are idle, and from now on each other one after its answer. */
  begin(server: Server): void;
  /** Keeps connections open again. */
  end(): void;
}

/** Watches the answers of an app on the connections of a server. */
export function createLastAnswers(app: RequestListener): LastAnswers {
  const underWay = new Set<ServerResponse>();
  /** Connections on which an answer is the last one. */
  const dismissed = new WeakSet<Socket>();
  /** Those of them on which it has been sent, and that the client has not closed yet. */
  const lingering = new Set<Socket>();
  let ending: Server | undefined;

  /** Node regards a connection as idle although the end of an answer is still to be sent on it. */
  function closeIdle(): void {
    if (lingering.size > 0 || [...underWay].some(({ writableEnded }) => writableEnded)) return;
    ending?.closeIdleConnections();
  }

  /** Tells the client that the connection is closed after this answer, and does so. */
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
      underWay.add(response);
      if (ending) dismiss(response);
      response.once('close', () => {
        underWay.delete(response);
        closeIdle();
      });
      app(request, response);
    },
    begin(server) {
      ending = server;
      // Of several answers on one connection, the last one ends it.
      const last = new Map([...underWay].map((response) => [response.req.socket, response]));
      for (const response of last.values()) dismiss(response);
      closeIdle();
    },
    end() {
      ending = undefined;
    },
  };
}
