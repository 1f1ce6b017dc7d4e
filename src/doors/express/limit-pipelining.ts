import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate } from '../real-time.js';

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
 * sent at once, would hold the answers to all of them for a client that does not read, and would let
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
      // Nobody would get the answers of a connection that is gone.
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
