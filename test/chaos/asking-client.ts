import { once } from 'node:events';
import { connect } from 'node:net';

/** A client that sends its next request as soon as the response to the previous one is complete. */
export interface AskingClient {
  /** Waits until this many complete responses have arrived. */
  answered(count: number): Promise<void>;
  /** Waits until a part of a response has arrived. */
  begun(): Promise<void>;
  /** How many bytes of an incomplete response have arrived. */
  readonly cutBytes: () => number;
  /** Waits until the connection is closed. */
  readonly closed: Promise<void>;
}

/** Opens a connection to the server, and requests a path until the connection ends. */
export function openAskingClient(url: string, path: string): AskingClient {
  const { hostname, port } = new URL(url);
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  let whole = 0;
  /** The first bytes of a response, at least its head, and how many bytes have arrived in all. */
  let start = Buffer.alloc(0);
  let received = 0;
  let awaited: Announced | undefined;

  /** Takes bytes of the response under way and, once that is complete, of those that follow it. */
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

  socket.write(request);
  socket.on('data', take);
  socket.on('error', () => undefined);
  return {
    async answered(count) {
      while (whole < count) await once(socket, 'data');
    },
    async begun() {
      while (received === 0) await once(socket, 'data');
    },
    cutBytes: () => received,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
}

/** What the head of a response announces. */
interface Announced {
  readonly bytes: number;
  readonly isLast: boolean;
}

/** Undefined if the head is incomplete. */
function announcedIn(start: Buffer): Announced | undefined {
  const bodyStart = start.indexOf('\r\n\r\n') + 4;
  const head = start.subarray(0, bodyStart).toString();
  const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
  if (length === undefined) return undefined;
  return { bytes: bodyStart + Number(length), isLast: /connection: close/i.test(head) };
}
