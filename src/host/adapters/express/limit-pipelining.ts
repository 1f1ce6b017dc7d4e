import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate } from '../unfaked-time.js';

/** How many requests of one connection are answered at the same time. */
const MAX_AT_ONCE = 16;

interface Line {
  underWay: number;
  isTurnDue: boolean;
  readonly waiting: (() => void)[];
}

/**
 * Limits how many pipelined requests of one connection the app answers at the same time, and gives
 * other connections a turn between them. Node would start a thousand at once, hold all their
 * responses for a client that does not read, and keep every other client waiting.
 */
export function limitPipelining(app: RequestListener): RequestListener {
  const lines = new WeakMap<Duplex, Line>();

  function takeTurn(line: Line): void {
    if (line.isTurnDue || line.waiting.length === 0) return;
    line.isTurnDue = true;
    setImmediate(() => {
      line.isTurnDue = false;
      if (line.underWay >= MAX_AT_ONCE) return;
      line.waiting.shift()?.();
      takeTurn(line);
    });
  }

  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { underWay: 0, isTurnDue: false, waiting: [] };
    lines.set(socket, line);
    const begin = () => {
      // Nobody would receive the response.
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
