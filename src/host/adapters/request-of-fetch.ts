import { contentIn } from '../../mock/service/request-and-response.js';
import { failure, NOTHING } from './deliver-without-socket.js';

/** Creates the request, unless the input is one already: creating takes as long as answering. */
export function requestOf(
  input: Request | URL | string,
  baseUrl: string,
  init?: RequestInit,
): Request {
  if (input instanceof Request && init === undefined && !input.bodyUsed) return input;
  return new Request(typeof input === 'string' ? new URL(input, baseUrl) : input, init);
}

/**
 * The signal in the options of a call, to be set apart from them: the `Request` of Node 24 refuses
 * the signal of another realm, such as jsdom's. Undefined for anything else, which it may refuse.
 */
export function givenSignal(init: RequestInit | undefined): AbortSignal | undefined {
  const isSignal = Object.prototype.toString.call(init?.signal) === '[object AbortSignal]';
  return (isSignal && init?.signal) || undefined;
}

/** Matches no value. */
const NONE = /^(?!)/;

/** Header fields that `fetch` sets itself, with the values that it accepts from callers. */
const OWN_FIELDS: Readonly<Record<string, RegExp>> = {
  'content-length': /^\d+$/,
  expect: NONE,
  'keep-alive': NONE,
  'transfer-encoding': NONE,
  upgrade: NONE,
};

/** Reads the whole content; rejects as `fetch` does if the call is aborted or a header is wrong. */
export async function contentOf(request: Request, signal = request.signal): Promise<Uint8Array> {
  const { headers, body } = request;
  for (const [name, allowed] of Object.entries(OWN_FIELDS)) {
    const value = headers.get(name);
    if (value === null || allowed.test(value)) continue;
    throw failure(
      'UND_ERR_INVALID_ARG',
      `The header '${name}: ${value}' says how the request is sent, which fetch decides itself. Remove the header.`,
    );
  }
  // Firefox has no `Request.body`; the content is read all at once there.
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

/** The header fields, with the Host and Content-Length that a client would add when sending. */
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
