import { ConnectionError } from './receive-response.js';

const NO_BODY = Buffer.alloc(0);

/** No value at all. */
const NONE = /^(?!)/;

/** Header fields that `fetch` itself is responsible for, and which values it accepts. */
const OWN_FIELDS: Readonly<Record<string, RegExp>> = {
  'content-length': /^\d+$/,
  expect: NONE,
  'keep-alive': NONE,
  'transfer-encoding': NONE,
  upgrade: NONE,
};

/** The request as bytes, with its complete body; rejects if it is aborted before. */
export async function bytesOf(request: Request): Promise<Buffer> {
  refuseOwnFields(request.headers);
  const body = await bodyOf(request);
  return Buffer.concat([headOf(request, body.length), body]);
}

/** Refuses what the global `fetch` refuses, where the caller learns what to do. */
function refuseOwnFields(headers: Headers): void {
  for (const [name, allowed] of Object.entries(OWN_FIELDS)) {
    const value = headers.get(name);
    if (value === null || allowed.test(value)) continue;
    throw failure(
      'UND_ERR_INVALID_ARG',
      `The header '${name}: ${value}' says how the request is sent, which fetch decides itself. Remove it.`,
    );
  }
}

async function bodyOf({ body, headers, signal }: Request): Promise<Buffer> {
  if (!body) return NO_BODY;
  const bytes = Buffer.concat(await piecesOf(body, signal));
  const length = headers.get('content-length');
  if (length === null || Number(length) === bytes.length) return bytes;
  throw failure(
    'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
    `The header 'content-length: ${length}' does not match the body of ${bytes.length} bytes. Remove it: it is filled in.`,
  );
}

async function piecesOf(body: ReadableStream, signal: AbortSignal): Promise<Buffer[]> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel);
  const pieces: Buffer[] = [];
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new TypeError('fetch failed', { cause });
    });
    signal.throwIfAborted();
    if (done) break;
    pieces.push(Buffer.from(value));
  }
  signal.removeEventListener('abort', cancel);
  return pieces;
}

/** The request line and the header fields (RFC 9112, section 3); `Headers` allows no line breaks. */
function headOf({ method, url, headers }: Request, length: number): Buffer {
  const { host, pathname, search } = new URL(url);
  const fields = new Map(headers);
  if (!fields.has('host')) fields.set('host', host);
  fields.set('connection', 'close');
  fields.delete('content-length');
  if (length > 0 || !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)) {
    fields.set('content-length', String(length));
  }
  const lines = Array.from(fields, ([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.from(head, 'latin1');
}

function failure(code: string, sentence: string): TypeError {
  return new TypeError('fetch failed', { cause: new ConnectionError(sentence, code) });
}
