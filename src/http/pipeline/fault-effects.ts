import type { Response } from 'express';
import type { FaultKind, FiringFault } from '../../accounts/faults.js';
import { ProblemError } from '../../errors/problems.js';
import { clearTimeout, setTimeout } from '../real-time.js';
import { type Answer, exchangeOf } from './exchange.js';

/** An answer on its way, which a fault may keep back or distort. */
export interface PendingAnswer extends Answer {
  /** Goes on as if there were no fault. */
  readonly goOn: () => void;
}

/** What a fault breaks: a socket, or the end of a connection in process. */
export interface BreakableConnection {
  /** Breaks it off, so that the client sees a reset. */
  resetAndDestroy(): void;
  /** Hangs up as soon as what was written has left. */
  destroySoon(): void;
}

type Effect = (response: Response, fault: FiringFault, answer: PendingAnswer) => void;

/** What each kind of fault does with an answer. */
export const FAULT_EFFECTS: Readonly<Record<FaultKind, Effect>> = {
  delay: (response, { delayMs = 0 }, { goOn }) => wait(response, delayMs, goOn),
  status(_response, { id, status = 500, retryAfterS }) {
    throw new ProblemError('injected-fault', `Fault ${id} of this account answers ${status}.`, {
      status,
      ...(retryAfterS !== undefined && { headers: { 'Retry-After': String(retryAfterS) } }),
    });
  },
  reset: (response) => whenItsTurn(response, (connection) => connection.resetAndDestroy()),
  empty(response) {
    const { req } = response;
    const hangUp = () => whenItsTurn(response, (connection) => connection.destroySoon());
    // Closed with bytes unread, the connection would be reset instead.
    req.once('end', hangUp).resume();
    if (req.readableEnded) hangUp();
  },
  'malformed-json'(response, _fault, { status, body }) {
    const text = JSON.stringify(body).slice(0, -1);
    begin(response, status, Buffer.byteLength(text)).end(text);
  },
  truncated(response, _fault, { status, body }) {
    const bytes = Buffer.from(JSON.stringify(body));
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    begin(response, status, bytes.length).flushHeaders();
    response.write(half);
    whenItsTurn(response, (connection) => connection.destroySoon());
  },
  slow(response, { delayMs = 0 }, { status, body }) {
    const bytes = Buffer.from(JSON.stringify(body));
    begin(response, status, bytes.length);
    dribble(response, bytes, 1, delayMs / PIECES);
  },
};

/** Acts on the connection as soon as all answers have left that stand before this one on it. */
function whenItsTurn(response: Response, act: (connection: BreakableConnection) => void): void {
  const { socket } = response.req;
  if (response.socket) act(socket);
  // A moment later: what was written of the answer in the meantime leaves right after the event.
  else response.once('socket', () => Promise.resolve().then(() => act(socket)));
}

const PIECES = 10;

function begin(response: Response, status: number, length: number): Response {
  const { noted } = exchangeOf(response);
  if (noted) noted.status = status;
  return response
    .status(status)
    .set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(length) });
}

/** Writes the bytes in ten pieces from the nth on, each after a time. */
function dribble(response: Response, bytes: Buffer, nth: number, pieceMs: number): void {
  const end = (piece: number) => Math.floor((bytes.length * piece) / PIECES);
  wait(response, pieceMs, () => {
    response.write(bytes.subarray(end(nth - 1), end(nth)));
    if (nth === PIECES) response.end();
    else dribble(response, bytes, nth + 1, pieceMs);
  });
}

/** Goes on after a time, unless the connection has ended by then. */
function wait(response: Response, durationMs: number, goOn: () => void): void {
  const timer = setTimeout(() => {
    response.off('close', cancel);
    goOn();
  }, durationMs);
  const cancel = () => clearTimeout(timer);
  response.once('close', cancel);
}
