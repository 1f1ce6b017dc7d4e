import { once } from 'node:events';
import { connect } from 'node:net';

/** A client that sends its next request as soon as it has the whole response to the one before. */
export interface AskingClient {
  /** Waits until so many responses came whole. */
  answered(count: number): Promise<void>;
  /** Waits until a response has begun to come and is not whole yet. */
  begun(): Promise<void>;
  /** Reads nothing until it is called again. */
  toggleReading(): void;
  /** How many bytes came of a response that did not come whole. */
  readonly cutBytes: () => number;
  /** Waits until the connection is closed. */
  readonly closed: Promise<void>;
}

/**
 * Opens a connection to the server, and asks for a path until the connection ends: at once for as many
 * responses as are to be ahead.
 */
export function openAskingClient(url: string, path: string, ahead = 1): AskingClient {
  const { hostname, port } = new URL(url);
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  let whole = 0;
  /** What has come of a response: its first bytes until the head is among them, and how many in all. */
  let start = Buffer.alloc(0);
  let received = 0;
  let awaited: Announced | undefined;

  /** Takes what has come of the response under way, and, once that is whole, what follows it. */
  function take(bytes: Buffer): void {
    received += bytes.length;
    if (!awaited) start = Buffer.concat([start, bytes]);
    awaited ??= announcedIn(start);
    if (!awaited || received < awaited.bytes) return;
    const rest = bytes.subarray(bytes.length - (received - awaited.bytes));
    if (!awaited.isLast) socket.write(request);
    whole += 1;
    received = 0;
    awaited = undefined;
    start = Buffer.alloc(0);
    if (rest.length > 0) take(rest);
  }

  socket.write(request.repeat(ahead));
  socket.on('data', take);
  socket.on('error', () => undefined);
  return {
    async answered(count) {
      while (whole < count) await once(socket, 'data');
    },
    async begun() {
      while (received === 0) await once(socket, 'data');
    },
    toggleReading() {
      if (socket.isPaused()) socket.resume();
      else socket.pause();
    },
    cutBytes: () => received,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
}

/** What a head says of its response. */
interface Announced {
  readonly bytes: number;
  readonly isLast: boolean;
}

/** Undefined if the head did not come whole. */
function announcedIn(start: Buffer): Announced | undefined {
  const bodyStart = start.indexOf('\r\n\r\n') + 4;
  const head = start.subarray(0, bodyStart).toString();
  const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
  if (length === undefined) return undefined;
  return { bytes: bodyStart + Number(length), isLast: /connection: close/i.test(head) };
}
