import { contentIn } from '../service/request-and-response.js';
import { failure, NOTHING } from './deliver-without-socket.js';

/** The input itself, if it is a complete request: creating one takes as long as answering it. */
export function requestOf(
  input: Request | URL | string,
  baseUrl: string,
  init?: RequestInit,
): Request {
  if (input instanceof Request && init === undefined && !input.bodyUsed) return input;
  return new Request(typeof input === 'string' ? new URL(input, baseUrl) : input, init);
}

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

/** The complete content; rejects if the call is aborted before. */
export async function contentOf(request: Request): Promise<Uint8Array> {
  const { headers, body, signal } = request;
  for (const [name, allowed] of Object.entries(OWN_FIELDS)) {
    const value = headers.get(name);
    if (value === null || allowed.test(value)) continue;
    throw failure(
      'UND_ERR_INVALID_ARG',
      `The header '${name}: ${value}' says how the request is sent, which fetch decides itself. Remove the header.`,
    );
  }
  // Where a request does not show its body, as in Firefox, it is read all at once.
  const whole = body === undefined ? new Uint8Array(await request.arrayBuffer()) : NOTHING;
  const content = body
    ? await contentIn(body, signal).catch((cause) => {
        signal.throwIfAborted();
        throw new TypeError('fetch failed', { cause });
      })
    : whole;
  const length = headers.get('content-length');
  if (length === null || !body || Number(length) === content.length) return content;
  throw failure(
    'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
    `The header 'content-length: ${length}' does not match the body of ${content.length} bytes. Remove the header: fetch adds it.`,
  );
}

export async function* onePiece(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield content;
}

/** The header fields, with those that are filled in where a message is written. */
export function fieldsOf(
  { headers, method, url }: Pick<Request, 'headers' | 'method' | 'url'>,
  length: number,
): string[] {
  const fields = [...headers].filter(([name]) => name !== 'content-length').flat();
  if (!headers.has('host')) fields.push('host', new URL(url).host);
  const hasLength = length > 0 || !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method);
  if (hasLength) fields.push('content-length', String(length));
  return fields;
}
