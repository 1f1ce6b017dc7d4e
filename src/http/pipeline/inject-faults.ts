import type { RequestHandler, Response } from 'express';
import type { FaultKind, FaultPhase, FiringFault } from '../../accounts/faults.js';
import type { OperationId } from '../../billing/operation.js';
import { ProblemError } from '../../errors/problems.js';
import { clearTimeout, setTimeout } from '../real-time.js';
import { exchangeOf } from './exchange.js';

/** An answer on its way, which a fault may keep back or distort. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
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

type Effect = (response: Response, fault: FiringFault, answer: Answer) => void;

/** Lets a fault of the phase `before` fire: the operation then does not run, a delay aside. */
export const injectFaultsBefore: RequestHandler = (_request, response, next) => {
  const status = exchangeOf(response).route?.successStatus ?? 200;
  const body = { detail: 'An injected fault stands in the place of this answer.' };
  injectFault('before', response, { status, body, goOn: next });
};

/** Lets a fault fire if one is due; otherwise goes on. */
export function injectFault(phase: FaultPhase, response: Response, answer: Answer): void {
  const { account, route, noted } = exchangeOf(response);
  const fault = route && account?.faults.take(phase, route.operationId as OperationId);
  if (noted && fault) noted.fault = fault.id;
  if (fault) EFFECTS[fault.kind](response, fault, answer);
  else answer.goOn();
}

const EFFECTS: Readonly<Record<FaultKind, Effect>> = {
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
