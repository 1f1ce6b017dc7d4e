import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import {
  bytesOf,
  type Deliveries,
  piecesOf,
  type ServiceResponse,
} from '../../../mock/service/request-and-response.js';
import { clearTimeout, setTimeout } from '../unfaked-time.js';
import { isHttp2 } from './connections.js';

type Given = [value: ServiceResponse, message: IncomingMessage, response: ServerResponse];

export const FAULTY_DELIVERIES: Deliveries<Given, void> = {
  reset: (_delivery, _value, message, response) => whenItsTurn(message, response, reset),
  empty: (_delivery, _value, message, response) =>
    whenItsTurn(message, response, (connection) => connection.destroySoon()),
  cut({ afterBytes }, { status, headers, body }, message, response) {
    response.writeHead(status, headers);
    response.flushHeaders();
    response.write(bytesOf(body).subarray(0, afterBytes));
    whenItsTurn(message, response, (connection) => connection.destroySoon());
  },
  slow({ durationMs }, { status, headers, body }, _message, response) {
    response.writeHead(status, headers);
    const pieces = piecesOf(bytesOf(body));
    dribble(response, pieces, durationMs / pieces.length);
  },
};

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
    // Writing an empty piece would send the header, and announce a body.
    if (first.length > 0) response.write(first);
    dribble(response, others, pieceMs);
  }, pieceMs);
  const cancel = () => clearTimeout(timer);
  response.once('close', cancel);
}

/** The connection that a fault breaks: a socket, or a stream of HTTP/2. */
interface Connection {
  /** Closes the connection so that the client sees a reset. */
  resetAndDestroy(): void;
  destroy(): void;
  /** Closes the connection as soon as what was written is sent. */
  destroySoon(): void;
}

/** Node cannot reset a TLS connection, only close it. */
function reset(connection: Connection): void {
  try {
    connection.resetAndDestroy();
  } catch {
    connection.destroy();
  }
}

/** The error code of a stream (RFC 9113, section 7). */
const INTERNAL_ERROR = 0x2;

/** Acts on the connection as soon as all earlier responses on it are sent. */
function whenItsTurn(
  message: IncomingMessage,
  response: ServerResponse,
  act: (connection: Connection) => void,
): void {
  if (isHttp2(message)) {
    const { stream } = response as unknown as Http2ServerResponse;
    const close = () => stream.close(INTERNAL_ERROR);
    act({ resetAndDestroy: close, destroy: close, destroySoon: close });
    return;
  }
  const { socket } = message;
  if (response.socket) act(socket);
  // A moment later, because Node sends what was written meanwhile right after the event.
  else response.once('socket', () => Promise.resolve().then(() => act(socket)));
}
