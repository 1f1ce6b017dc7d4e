import { connect, type Socket } from 'node:net';

/** A response as it arrived over the socket. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection to a server, and what has arrived over it. */
export interface RawConnection {
  readonly socket: Socket;
  readonly received: () => string;
  /** Waits until the connection is closed. */
  readonly closed: Promise<void>;
}

/** Opens a connection to the server, sends bytes as they are, and leaves it open. */
export function openSocket(url: string, bytes: string): RawConnection {
  const { hostname, port } = new URL(url);
  // This side stays open when the server closes its own.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  return { socket, received: () => received, closed };
}

/** Sends bytes to the server as they are and reads what comes back until it hangs up. */
export async function sendRaw(url: string, bytes: string): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8');
  socket.write(bytes);
  let received = '';
  for await (const chunk of socket) received += chunk;
  const [head = '', body = ''] = received.split(/\r\n\r\n(.*)/s);
  const [statusLine = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field): [string, string] => {
    const [name = '', value = ''] = field.split(/: (.*)/s);
    return [name.toLowerCase(), value];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers), body };
}
