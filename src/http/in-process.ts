import type { Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { BreakableConnection } from './inject-faults.js';

/**
 * A `fetch` that reaches the mock without a socket.
 *
 * @example
 * const fetching: Fetch = server.fetch;
 * const answer = await fetching('/measurements', { headers: { Authorization: 'Bearer t' } });
 */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** What a path alone is relative to: there is no address. */
const BASE_URL = 'http://localhost';

/** Statuses of answers without a body, which a `Response` must not be given one for. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

const NO_BODY = Buffer.alloc(0);

const END_OF_HEAD = '\r\n\r\n';

/**
 * Makes a `fetch` that speaks HTTP with the server over a pair of streams: the same parser and the
 * same pipeline as over a socket, and no port. It rejects where the global one does, with a
 * `TypeError` whose cause has the same code. Redirects, caching and cookies there are none. Node's
 * own client is left alone, so that whoever intercepts that, as MSW does, may hand requests on.
 */
export function createFetch(server: Server): Fetch {
  return async (input, init) => {
    const request = requestOf(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : NO_BODY;
    const connection = connectTo(server);
    const abort = () => connection.destroy(signal.reason);
    signal.addEventListener('abort', abort);
    connection.once('close', () => signal.removeEventListener('abort', abort));
    connection.write(Buffer.concat([headOf(request, body.length), body]));
    return receive(connection, request);
  };
}

/** What is given, if it is a whole request: to make one takes as long as to answer it. */
function requestOf(input: Request | URL | string, init?: RequestInit): Request {
  if (input instanceof Request && init === undefined && !input.bodyUsed) return input;
  return new Request(typeof input === 'string' ? new URL(input, BASE_URL) : input, init);
}

/** Gives the server one end of a connection, and returns the other. */
function connectTo(server: Server): Duplex {
  const [near, far] = duplexPair();
  const connection: BreakableConnection = {
    resetAndDestroy() {
      near.destroy(new ConnectionError('read ECONNRESET', 'ECONNRESET'));
      far.destroy();
    },
    destroySoon: () => far.end(() => far.destroy()),
  };
  // One end that closes takes the other along, as a socket's does.
  near.once('close', () => far.destroy());
  far.once('close', () => near.push(null));
  server.emit('connection', Object.assign(far, connection));
  return near;
}

/** The request line and the header fields (RFC 9112, section 3); `Headers` allows no line breaks. */
function headOf({ method, url, headers }: Request, length: number): Buffer {
  const { host, pathname, search } = new URL(url);
  const fields = new Map(headers);
  if (!fields.has('host')) fields.set('host', host);
  fields.set('connection', 'close');
  // The body is sent along, so that nobody waits for a `100 Continue`.
  if (fields.get('expect')?.toLowerCase() === '100-continue') fields.delete('expect');
  if (length > 0 || !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)) {
    fields.set('content-length', String(length));
  }
  const lines = Array.from(fields, ([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.from(head, 'latin1');
}

/** Reads the answer, which tells its length as every answer of the mock does. */
async function receive(connection: Duplex, request: Request): Promise<Response> {
  const pieces: AsyncIterator<Buffer> = connection[Symbol.asyncIterator]();
  const next = async (failure: string) => {
    const { done, value } = await pieces.next().catch((error) => {
      throw request.signal.aborted ? error : new TypeError(failure, { cause: error });
    });
    if (!done) return value;
    const cause = new ConnectionError('other side closed', 'UND_ERR_SOCKET');
    throw new TypeError(failure, { cause });
  };
  let received = await next('fetch failed');
  while (!received.includes(END_OF_HEAD)) {
    received = Buffer.concat([received, await next('fetch failed')]);
  }
  const bodyStart = received.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
  const { status, statusText, headers } = parseHead(received.toString('latin1', 0, bodyStart));
  const isEmpty = request.method === 'HEAD' || WITHOUT_BODY.includes(status);
  let missing = isEmpty ? 0 : Number(headers.get('Content-Length'));
  const answer = (body: ReadableStream | Uint8Array | null) =>
    Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', {
      value: request.url,
    });
  const begun = received.subarray(bodyStart);
  if (begun.length >= missing) {
    connection.destroy();
    return answer(isEmpty ? null : Uint8Array.from(begun));
  }
  // Read at once and not when asked for: the answer leaves whether or not somebody looks at it.
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      let piece = begun;
      for (;;) {
        if (piece.length > 0) controller.enqueue(Uint8Array.from(piece));
        missing -= piece.length;
        if (missing <= 0) break;
        piece = await next('terminated');
      }
      controller.close();
      connection.destroy();
    },
  });
  return answer(body);
}

function parseHead(head: string) {
  const [statusLine = '', ...lines] = head.trimEnd().split('\r\n');
  const [, status, statusText = ''] = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(statusLine) ?? [];
  const headers = new Headers();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    headers.append(name, value);
  }
  return { status: Number(status), statusText, headers };
}

class ConnectionError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}
