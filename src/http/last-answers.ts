import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Makes the answers under way the last ones of their connections, when a server ends. */
export interface LastAnswers {
  /** Closes the connections that are idle, and from now on each other one after its answer. */
  begin(): void;
  /** Keeps connections open again. */
  end(): void;
}

/** Watches the answers of a server. */
export function createLastAnswers(server: Server): LastAnswers {
  const underWay = new Set<ServerResponse>();
  let isEnding = false;

  /** Node regards a connection as idle although the end of an answer is still to be sent on it. */
  function closeIdle(): void {
    if ([...underWay].some(({ writableEnded }) => writableEnded)) return;
    server.closeIdleConnections();
  }

  const watch = (_request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response);
    if (isEnding) dismiss(response);
    response.once('close', () => {
      underWay.delete(response);
      if (isEnding) closeIdle();
    });
  };
  server.prependListener('request', watch);
  server.prependListener('checkExpectation', watch);

  return {
    begin() {
      isEnding = true;
      // Of several answers on one connection, the last one ends it.
      const last = new Map([...underWay].map((response) => [response.req.socket, response]));
      for (const response of last.values()) dismiss(response);
      closeIdle();
    },
    end() {
      isEnding = false;
    },
  };
}

/** Tells the client that the connection is closed after this answer. */
function dismiss(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
