import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { piecesOf, wholeOf } from '../../service/content.js';
import type { Delivery, HeaderFields, ServiceResponse } from '../../service/service.js';
import { clearTimeout, setTimeout } from '../real-time.js';

/** Sends a response over a connection. */
export function deliver(
  value: ServiceResponse,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  const { status, headers, body, delivery } = value;
  if (delivery) {
    DELIVERIES[delivery.kind](value, message, response);
    return;
  }
  response.writeHead(status, sendable(headers, message));
  if (typeof body === 'string') end(response, body, Number(headers['Content-Length']));
  else if (body instanceof Uint8Array) response.end(body);
  else void pour(body, response);
}

/** Up to here a body is written in one piece with its header; to copy a longer one costs more. */
const JOINED_CHARACTERS = 16_384;

function end(response: ServerResponse, text: string, length: number): void {
  // ASCII needs no encoding, which costs a tenth of writing a page as JSON.
  const encoding = length === text.length ? 'latin1' : 'utf8';
  if (text.length < JOINED_CHARACTERS) response.end(text, encoding);
  else response.end(Buffer.from(text, encoding));
}

/** What HTTP/2 says in frames (RFC 9113, section 8.2.2). */
const FIELDS_OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding'];

function sendable(headers: HeaderFields, { httpVersionMajor }: IncomingMessage): HeaderFields {
  if (httpVersionMajor !== 2) return headers;
  const fields = Object.entries(headers);
  return Object.fromEntries(
    fields.filter(([name]) => !FIELDS_OF_CONNECTION.includes(name.toLowerCase())),
  );
}

/** Sends a body piece by piece, no faster than it is read, until it ends or the client leaves. */
async function pour(
  body: AsyncIterable<string | Uint8Array>,
  response: ServerResponse,
): Promise<void> {
  try {
    for await (const piece of body) {
      if (response.closed || response.destroyed) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
  } catch {
    response.destroy();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

type Deliver = (value: ServiceResponse, message: IncomingMessage, response: ServerResponse) => void;

/** How each fault on the way is made with a socket. */
const DELIVERIES: Readonly<Record<Delivery['kind'], Deliver>> = {
  reset: (_value, message, response) => whenItsTurn(message, response, reset),
  empty: (_value, message, response) =>
    whenItsTurn(message, response, (connection) => connection.destroySoon()),
  cut(value, message, response) {
    const { status, headers, delivery } = value;
    const bytes = wholeOf(value);
    const sent = bytes.subarray(0, delivery?.kind === 'cut' ? delivery.afterBytes : bytes.length);
    response.writeHead(status, sendable(headers, message));
    response.flushHeaders();
    response.write(sent);
    whenItsTurn(message, response, (connection) => connection.destroySoon());
  },
  slow(value, message, response) {
    const { status, headers, delivery } = value;
    response.writeHead(status, sendable(headers, message));
    const pieces = piecesOf(wholeOf(value));
    const pieceMs = delivery?.kind === 'slow' ? delivery.durationMs / pieces.length : 0;
    dribble(response, pieces, pieceMs);
  },
};

/** Writes the pieces, each after a time. */
function dribble(
  response: ServerResponse,
  [first, ...others]: readonly Uint8Array[],
  pieceMs: number,
): void {
  if (!first) {
    response.end();
    return;
  }
  const timer = setTimeout(() => {
    response.off('close', cancel);
    // Even an empty one would send the header, and say that a body follows.
    if (first.length > 0) response.write(first);
    dribble(response, others, pieceMs);
  }, pieceMs);
  const cancel = () => clearTimeout(timer);
  response.once('close', cancel);
}

/** What a fault breaks. */
interface Connection {
  /** Closes it, so that the client sees a reset. */
  resetAndDestroy(): void;
  /** Closes it at once. */
  destroy(): void;
  /** Closes it as soon as what was written is sent. */
  destroySoon(): void;
}

/** Node resets a connection below TLS for nobody but the mock's own server: another one is closed. */
function reset(connection: Connection): void {
  try {
    connection.resetAndDestroy();
  } catch {
    connection.destroy();
  }
}

/** RFC 9113, section 7. */
const INTERNAL_ERROR = 0x2;

/** Acts on the connection as soon as all earlier responses on it are sent. */
function whenItsTurn(
  message: IncomingMessage,
  response: ServerResponse,
  act: (connection: Connection) => void,
): void {
  if (message.httpVersionMajor === 2) {
    const { stream } = response as unknown as Http2ServerResponse;
    const close = () => stream.close(INTERNAL_ERROR);
    act({ resetAndDestroy: close, destroy: close, destroySoon: close });
    return;
  }
  const { socket } = message;
  if (response.socket) act(socket);
  // A moment later: what was written of the response meanwhile leaves right after the event.
  else response.once('socket', () => Promise.resolve().then(() => act(socket)));
}
