import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Delivery, HeaderFields } from '../../../mock/service/request-and-response.js';
import { clearTimeout, setTimeout } from '../unfaked-time.js';
import { isHttp2 } from './connections.js';

/** Delivers as much of a response as a fault lets arrive. */
export function deliverFaulty(
  { pieces, pieceMs = 0, ending }: Delivery,
  [status, headers]: readonly [status: number, headers: HeaderFields],
  message: IncomingMessage,
  response: ServerResponse,
): void {
  if (pieces) {
    response.writeHead(status, headers);
    response.flushHeaders();
  }
  writeInTime(response, pieces ?? [], pieceMs, () => {
    if (ending === 'complete') response.end();
    else whenItsTurn(message, response, ENDINGS[ending]);
  });
}

const ENDINGS = { close: (connection: Connection) => connection.destroySoon(), reset };

function writeInTime(
  response: ServerResponse,
  [first, ...others]: readonly Uint8Array[],
  pieceMs: number,
  end: () => void,
): void {
  if (!first) {
    end();
    return;
  }
  const write = () => {
    response.off('close', cancel);
    response.write(first);
    writeInTime(response, others, pieceMs, end);
  };
  const timer = pieceMs > 0 ? setTimeout(write, pieceMs) : undefined;
  const cancel = () => clearTimeout(timer);
  if (timer) response.once('close', cancel);
  else write();
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
