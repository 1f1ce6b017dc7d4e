import type { Duplex } from 'node:stream';

/** Why a connection failed; `code` is that of the global `fetch`. */
export class ConnectionError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Statuses of answers without a body, which a `Response` must not be given one for. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

const END_OF_HEAD = '\r\n\r\n';

/** The next bytes of an answer; rejects with this message if none come. */
type Next = (failure: string) => Promise<Buffer>;

/** Reads the answer, which has a Content-Length as every answer of the mock does. */
export async function receiveResponse(connection: Duplex, request: Request): Promise<Response> {
  const next = readerOf(connection, request);
  let received = await next('fetch failed');
  while (!received.includes(END_OF_HEAD)) {
    received = Buffer.concat([received, await next('fetch failed')]);
  }
  const bodyStart = received.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
  const { status, statusText, headers } = parseHead(received.toString('latin1', 0, bodyStart));
  const isEmpty = request.method === 'HEAD' || WITHOUT_BODY.includes(status);
  if (isEmpty) connection.destroy();
  else refuseUnknownLength(headers, connection);
  const body = isEmpty
    ? null
    : bodyOf(connection, request, {
        begun: received.subarray(bodyStart),
        length: Number(headers.get('Content-Length')),
        next,
      });
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', {
    value: request.url,
  });
}

function readerOf(connection: Duplex, { signal }: Request): Next {
  const pieces: AsyncIterator<Buffer> = connection[Symbol.asyncIterator]();
  return async (failure) => {
    const { done, value } = await pieces.next().catch((error) => {
      throw signal.aborted ? error : new TypeError(failure, { cause: error });
    });
    if (!done) return value;
    const cause = new ConnectionError('other side closed', 'UND_ERR_SOCKET');
    throw new TypeError(failure, { cause });
  };
}

function refuseUnknownLength(headers: Headers, connection: Duplex): void {
  if (headers.has('Content-Length')) return;
  connection.destroy();
  throw new TypeError(
    'The answer has no Content-Length; expected one, as every answer of the mock has. Set it where the answer is written, or call over a socket.',
  );
}

/**
 * The body, which is received at once and not on demand: the answer is sent whether or not it is
 * read. An abort discards what is received and not read yet, as with the global `fetch`.
 */
function bodyOf(
  connection: Duplex,
  request: Request,
  { begun, length, next }: { begun: Buffer; length: number; next: Next },
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const { signal } = request;
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
