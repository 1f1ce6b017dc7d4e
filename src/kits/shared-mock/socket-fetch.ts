import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { closed, failureBy } from '../../doors/deliver-without-socket.js';
import type { Fetch } from '../../doors/fetch.js';
import { contentOf, fieldsOf, requestOf } from '../../doors/request-of-fetch.js';
import { WITHOUT_BODY } from '../../stubs/header-fields.js';

/**
 * As `server.fetch`, but over a socket. The global `fetch` is what tools intercept, `jsdom` lacks it,
 * and that of Node waits for timers that a test may have faked.
 */
export function createSocketFetch(url: string): Fetch {
  const { protocol, hostname, port } = new URL(url);
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
  // The certificate is one that the set-up was given.
  const options = { ...address, rejectUnauthorized: false };
  const open = () => (protocol === 'https:' ? connectSecurely(options) : connect(address));
  return async (input, init) => {
    const request = requestOf(input, `${url}/`, init);
    const { signal } = request;
    signal.throwIfAborted();
    const content = await contentOf(request);
    const connection = open();
    const abort = () => connection.destroy(signal.reason);
    signal.addEventListener('abort', abort);
    connection.once('close', () => signal.removeEventListener('abort', abort));
    connection.write(Buffer.concat([headOf(request, content.length), content]));
    return receiveResponse(connection, request);
  };
}

/** The request line and the header fields (RFC 9112, section 3); `Headers` allows no line breaks. */
function headOf({ method, url, headers: given }: Request, length: number): Buffer {
  const { pathname, search } = new URL(url);
  const headers = new Headers(given);
  headers.set('connection', 'close');
  const fields = fieldsOf({ method, url, headers }, length);
  const lines = fields.map((text, nth) => text + (nth % 2 === 0 ? ': ' : '\r\n'));
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.from(head, 'latin1');
}

const END_OF_HEAD = '\r\n\r\n';

/** The next bytes of a response; rejects with this message if none come. */
type Next = (failure: string) => Promise<Buffer>;

/** Reads the response, which has a Content-Length as every response of the mock does. */
async function receiveResponse(connection: Duplex, request: Request): Promise<Response> {
  const next = readerOf(connection, request);
  let received = await next('fetch failed');
  while (!received.includes(END_OF_HEAD)) {
    received = Buffer.concat([received, await next('fetch failed')]);
  }
  const bodyStart = received.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
  const { status, statusText, headers } = parseHead(received.toString('latin1', 0, bodyStart));
  const isEmpty = request.method === 'HEAD' || WITHOUT_BODY.includes(status);
  if (isEmpty) connection.destroy();
  const length = Number(headers.get('Content-Length'));
  const begun = received.subarray(bodyStart);
  const body = isEmpty ? null : bodyOf(connection, request, { begun, length, next });
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', {
    value: request.url,
  });
}

function readerOf(connection: Duplex, { signal }: Request): Next {
  const pieces: AsyncIterator<Buffer> = connection[Symbol.asyncIterator]();
  return async (failure) => {
    const { done, value } = await pieces.next().catch((error) => {
      throw signal.aborted ? error : failureBy(error, failure);
    });
    if (done) throw failureBy(closed(), failure);
    return value;
  };
}

/**
 * The body, which is received at once and not on demand: the response is sent whether or not it is
 * read. An abort discards what is received and not read yet, as with the global `fetch`.
 */
function bodyOf(
  connection: Duplex,
  { signal }: Request,
  { begun, length, next }: { begun: Buffer; length: number; next: Next },
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason));
      let missing = length;
      for (let piece = begun; ; piece = await next('terminated')) {
        if (piece.length > 0) controller.enqueue(Uint8Array.from(piece));
        missing -= piece.length;
        if (missing <= 0) break;
      }
      controller.close();
      connection.destroy();
    },
    cancel() {
      connection.destroy();
    },
  });
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
