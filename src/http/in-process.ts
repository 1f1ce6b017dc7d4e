import { type IncomingMessage, type Server, request as sendRequest } from 'node:http';
import { type Duplex, duplexPair, Readable } from 'node:stream';
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
const WITHOUT_BODY: readonly number[] = [101, 204, 205, 304];

/**
 * Makes a `fetch` that speaks HTTP with the server over a pair of streams: the same parser and the
 * same pipeline as over a socket, and no port. It rejects where the global one does, with a
 * `TypeError` whose cause has the same code. Redirects, caching and cookies there are none.
 */
export function createFetch(server: Server): Fetch {
  return async (input, init) => {
    const target = typeof input === 'string' ? new URL(input, BASE_URL) : input;
    const request = new Request(target, init);
    request.signal.throwIfAborted();
    const body = Buffer.from(await request.arrayBuffer());
    const { host, pathname, search } = new URL(request.url);
    return new Promise<Response>((resolve, reject) => {
      const sent = sendRequest({
        method: request.method,
        path: `${pathname}${search}`,
        headers: { host, ...Object.fromEntries(request.headers) },
        createConnection: () => connectTo(server),
      });
      const abort = () => sent.destroy(request.signal.reason);
      request.signal.addEventListener('abort', abort);
      sent.once('close', () => request.signal.removeEventListener('abort', abort));
      sent.once('response', (answer) => resolve(responseOf(answer, request)));
      sent.on('error', (error) => {
        reject(request.signal.aborted ? error : failure('fetch failed', error));
      });
      sent.end(body);
    });
  };
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

/** The answer as a standard `Response`. */
function responseOf(answer: IncomingMessage, { method, url, signal }: Request): Response {
  const { statusCode: status = 500, statusMessage: statusText = '', rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  const isEmpty = method === 'HEAD' || WITHOUT_BODY.includes(status);
  if (isEmpty) answer.resume();
  const body = isEmpty ? null : Readable.toWeb(Readable.from(piecesOf(answer, signal)));
  const response = new Response(body as ReadableStream | null, { status, statusText, headers });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}

/** The body piece by piece; breaks off as that of the global `fetch` does. */
async function* piecesOf(answer: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of answer) yield piece;
  } catch (error) {
    throw signal.aborted ? error : failure('terminated', error as NodeJS.ErrnoException);
  }
}

/** The error of a call that broke off: Node's own words for a hang-up are those of its old client. */
function failure(message: string, error: NodeJS.ErrnoException): TypeError {
  const isOwn = error instanceof ConnectionError;
  const cause = isOwn ? error : new ConnectionError('other side closed', 'UND_ERR_SOCKET');
  return new TypeError(message, { cause });
}

class ConnectionError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}
