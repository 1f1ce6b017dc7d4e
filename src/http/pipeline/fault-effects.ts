import type { Response } from 'express';
import type { FaultKind, FiringFault } from '../../accounts/faults.js';
import { ProblemError } from '../../errors/problem-error.js';
import { type Answer, exchangeOf } from './exchange.js';
import { beginAnswer } from './send-answer.js';
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
    const { status, body } = answerOf(response);
    const text = JSON.stringify(body).slice(0, -1);
    beginAnswer(response, status, Buffer.byteLength(text)).end(text);
  },
  truncated(response) {
    const { status, body } = answerOf(response);
    const bytes = Buffer.from(JSON.stringify(body));
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    beginAnswer(response, status, bytes.length).flushHeaders();
    response.write(half);
    whenItsTurn(response, (connection) => connection.destroySoon());
  },
  slow(response, { delayMs = 0 }) {
    const { status, body } = answerOf(response);
    const bytes = Buffer.from(JSON.stringify(body));
    beginAnswer(response, status, bytes.length);
    dribble(response, bytes, 1, delayMs / PIECES);
  },
};

/** What the operation has answered; a fault that distorts it fires only after the operation. */
function answerOf(response: Response): Answer {
  const { answer } = exchangeOf(response);
  if (answer) return answer;
  throw new Error('A fault distorts an answer that does not exist yet.');
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
    response.write(bytes.subarray(end(nth - 1), end(nth)));
    if (nth === PIECES) response.end();
    else dribble(response, bytes, nth + 1, pieceMs);
  });
}
