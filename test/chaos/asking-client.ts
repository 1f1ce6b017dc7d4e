import { once } from 'node:events';
import { connect } from 'node:net';

/** A client that sends its next request as soon as it has the whole answer to the one before. */
export interface AskingClient {
  /** Waits until so many answers came whole. */
  answered(count: number): Promise<void>;
  /** Reads nothing until it is called again. */
  toggleReading(): void;
  /** How many bytes came of an answer that did not come whole. */
  readonly cutBytes: () => number;
  /** Waits until the connection is closed. */
  readonly closed: Promise<void>;
}

const requestOf = (limit: number) =>
  `GET /measurements?limit=${limit} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\n\r\n`;

/** The answer that the bytes begin with; undefined if it is not whole. */
function firstAnswerIn(bytes: Buffer): { length: number; isLast: boolean } | undefined {
  const bodyStart = bytes.indexOf('\r\n\r\n') + 4;
  const head = bytes.subarray(0, bodyStart).toString();
  const [, bodyLength] = /content-length: (\d+)/i.exec(head) ?? [];
  const length = bodyStart + Number(bodyLength);
  return bytes.length < length || bodyLength === undefined
    ? undefined
    : { length, isLast: /connection: close/i.test(head) };
}

/**
 * Opens a connection to the server, and asks for a page until the connection ends: at once for as many
 * as are to be ahead.
 */
export function openAskingClient(url: string, { ahead = 1, limit = 1_000 } = {}): AskingClient {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let held = Buffer.alloc(0);
  let whole = 0;
  const request = requestOf(limit);
  socket.write(request.repeat(ahead));
  socket.on('data', (bytes) => {
    held = Buffer.concat([held, bytes]);
    for (let answer = firstAnswerIn(held); answer; answer = firstAnswerIn(held)) {
      held = held.subarray(answer.length);
      whole += 1;
      if (!answer.isLast) socket.write(request);
    }
  });
  socket.on('error', () => undefined);
  return {
    async answered(count) {
      while (whole < count) await once(socket, 'data');
    },
    toggleReading() {
      if (socket.isPaused()) socket.resume();
      else socket.pause();
    },
    cutBytes: () => held.length,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
}
