import { once } from 'node:events';
import { connect } from 'node:net';

/** A client that sends its next request as soon as it has the whole answer to the one before. */
export interface AskingClient {
  /** Waits until so many answers came whole. */
  answered(count: number): Promise<void>;
  /** How many bytes came of an answer that did not come whole. */
  readonly cutBytes: () => number;
  /** Waits until the connection is closed. */
  readonly closed: Promise<void>;
}

const REQUEST =
  'GET /measurements?limit=1000 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\n\r\n';

/** Opens a connection to the server, and asks for a big page until the connection ends. */
export function openAskingClient(url: string, request = REQUEST): AskingClient {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let held = Buffer.alloc(0);
  let whole = 0;
  socket.write(request);
  socket.on('data', (bytes) => {
    held = Buffer.concat([held, bytes]);
    const bodyStart = held.indexOf('\r\n\r\n') + 4;
    const head = held.subarray(0, bodyStart).toString();
    const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
    if (length === undefined || held.length < bodyStart + Number(length)) return;
    held = held.subarray(bodyStart + Number(length));
    whole += 1;
    if (!/connection: close/i.test(head)) socket.write(request);
  });
  socket.on('error', () => undefined);
  return {
    async answered(count) {
      while (whole < count) await once(socket, 'data');
    },
    cutBytes: () => held.length,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
}
