import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many requests of one connection are answered at a time. */
const MOST_AT_ONCE = 16;

/** The requests of one connection. */
interface Line {
  underWay: number;
  readonly waiting: (() => void)[];
}

/**
 * Makes the app answer no more than a few requests of one connection at a time; further ones wait. Node
 * takes up a thousand that were sent at once, and would hold the answers to all of them for a client
 * that does not read.
 */
export function limitPipelining(app: RequestListener): RequestListener {
  const lines = new WeakMap<Duplex, Line>();
  return (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { underWay: 0, waiting: [] };
    lines.set(socket, line);
    const run = () => {
      line.underWay += 1;
      response.once('close', leave);
      app(request, response);
    };
    const leave = () => {
      line.underWay -= 1;
      // Nobody would get the answers of a connection that is gone.
      if (!socket.destroyed) line.waiting.shift()?.();
    };
    if (line.underWay < MOST_AT_ONCE) run();
    else line.waiting.push(run);
  };
}
