import type { Response } from 'express';
import type { FaultKind, FiringFault } from '../../accounts/faults.js';
import { ProblemError } from '../../errors/problem-error.js';
import { exchangeOf, type ReadyResponse } from './exchange.js';
import { beginResponse, sendWhole } from './send-answer.js';
import { wait } from './wait.js';

/** What a fault breaks: a socket, or the end of a connection in process. */
export interface BreakableConnection {
  /** Closes it, so that the client sees a reset. */
  resetAndDestroy(): void;
  /** Closes it as soon as what was written is sent. */
  destroySoon(): void;
}

/** Acts on a request; `proceed` continues as if there were no fault. */
type Effect = (response: Response, fault: FiringFault, proceed: () => void) => void;

/** What each kind of fault does with an answer. */
export const FAULT_EFFECTS: Readonly<Record<FaultKind, Effect>> = {
  delay: (response, { delayMs = 0 }, proceed) => wait(response, delayMs, proceed),
  status(_response, { id, status = 500, retryAfterS }) {
    throw new ProblemError('injected-fault', `Fault ${id} of this account answers ${status}.`, {
      status,
      ...(retryAfterS !== undefined && { headers: { 'Retry-After': String(retryAfterS) } }),
    });
  },
  reset: (response) => whenItsTurn(response, (connection) => connection.resetAndDestroy()),
  empty(response) {
    const { req } = response;
    const close = () => whenItsTurn(response, (connection) => connection.destroySoon());
    // Closed with bytes unread, the connection would be reset instead.
    req.once('end', close).resume();
    if (req.readableEnded) close();
  },
  'malformed-json'(response) {
    const ready = readyOf(response);
    sendWhole(response, { ...ready, body: ready.body && malformed(ready.body) });
  },
  truncated(response) {
    const bytes = beginReady(response);
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    if (half.length === 0) response.end();
    else {
      response.flushHeaders();
      response.write(half);
    }
    whenItsTurn(response, (connection) => connection.destroySoon());
  },
  slow(response, { delayMs = 0 }) {
    dribble(response, beginReady(response), 1, delayMs / PIECES);
  },
};

/** What would be sent; a fault that distorts it fires only after somebody has made it. */
function readyOf(response: Response): ReadyResponse {
  const { ready } = exchangeOf(response);
  if (ready) return ready;
  throw new Error('A fault distorts a response that does not exist yet.');
}

/** Begins to send it; returns the bytes of its body. */
function beginReady(response: Response): Buffer {
  const ready = readyOf(response);
  const bytes = Buffer.from(ready.body ?? '');
  beginResponse(response, ready, bytes.length);
  return bytes;
}

/** The text without its end. If that is JSON all the same, as 1 of 12 is, it begins a list. */
function malformed(text: string): string {
  const cut = text.trimEnd().slice(0, -1);
  try {
    JSON.parse(cut);
    return `[${cut}`;
  } catch {
    return cut;
  }
}

/** Acts on the connection as soon as all earlier answers on it are sent. */
function whenItsTurn(response: Response, act: (connection: BreakableConnection) => void): void {
  const { socket } = response.req;
  if (response.socket) act(socket);
  // A moment later: what was written of the answer in the meantime leaves right after the event.
  else response.once('socket', () => Promise.resolve().then(() => act(socket)));
}

const PIECES = 10;

/** Writes the bytes in ten pieces from the nth on, each after a time. */
function dribble(response: Response, bytes: Buffer, nth: number, pieceMs: number): void {
  const end = (piece: number) => Math.floor((bytes.length * piece) / PIECES);
  wait(response, pieceMs, () => {
    const piece = bytes.subarray(end(nth - 1), end(nth));
    // Even an empty one would send the header, and say that a body follows.
    if (piece.length > 0) response.write(piece);
    if (nth === PIECES) response.end();
    else dribble(response, bytes, nth + 1, pieceMs);
  });
}
