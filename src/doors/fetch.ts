import type { Platform } from '../service/platform.js';
import type {
  ResponseBody,
  Service,
  ServiceRequest,
  ServiceResponse,
} from '../service/request-and-response.js';
import { bytesOf, joined, pairsOf, piecesOf } from '../service/request-and-response.js';
import { WITHOUT_BODY } from '../stubs/header-fields.js';

/**
 * A `fetch` that reaches the mock without a socket.
 *
 * @example
 * const fetching: Fetch = server.fetch;
 * const response = await fetching('/measurements', { headers: { Authorization: 'Bearer t' } });
 */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** Where a relative URL begins: there is no address. */
const ORIGIN = 'http://localhost';

/** Why a call failed; `code` is that of the global `fetch`. */
class ConnectionError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** A `fetch`, and the end of the calls that are under way. */
export interface InProcess {
  readonly fetch: Fetch;
  /** The same for a request that reaches this path and query of the mock, whatever its URL is. */
  deliver(request: Request, target: string): Promise<Response>;
  /** Breaks off the calls that are still under way after half a second. */
  endCalls(): Promise<void>;
}

/** How long calls under way may take when the server stops. */
const GRACE_MS = 500;

/**
 * Creates a `fetch` that calls the service: the same steps as over a socket, and no port. It rejects
 * where the global one does, with a `TypeError` whose cause has the same code; its message is given if
 * no response comes. There are no redirects, caching or cookies.
 */
export function createInProcess(
  service: Service,
  platform: Platform,
  basePath = '',
  unanswered = 'fetch failed',
): InProcess {
  const baseUrl = `${ORIGIN}${basePath}/`;
  const underWay = new Set<Call>();
  async function deliver(request: Request, target: string): Promise<Response> {
    request.signal.throwIfAborted();
    const content = await contentOf(request);
    // While it was read, the caller may have left.
    request.signal.throwIfAborted();
    const call = new Call(request.signal, () => underWay.delete(call));
    underWay.add(call);
    try {
      const value = await service(requestFrom(request, target, content, call.signal));
      const response = await responseOf(call.watching(value), platform, call.signal);
      return Object.defineProperty(response, 'url', { value: request.url });
    } catch (error) {
      call.end();
      throw error instanceof ConnectionError ? failureBy(error, unanswered) : error;
    }
  }
  return {
    deliver,
    async fetch(input, init) {
      const request = requestOf(input, baseUrl, init);
      const { pathname, search } = new URL(request.url);
      return deliver(request, pathname + search);
    },
    async endCalls() {
      const calls = [...underWay];
      const cancel = platform.after(GRACE_MS, () => {
        for (const call of calls) call.breakOff(closed());
      });
      await Promise.all(calls.map(({ ended }) => ended));
      cancel();
    },
  };
}

/** A call under way: it ends with the last byte of its response, or when its caller leaves. */
class Call {
  /** Resolves at its end. */
  readonly ended: Promise<void>;
  readonly #controller = new AbortController();
  #end: () => void = () => undefined;

  constructor(caller: AbortSignal, forget: () => void) {
    const leave = () => this.#controller.abort(caller.reason);
    // It stays: what has arrived may still be discarded.
    caller.addEventListener('abort', leave, { once: true });
    this.ended = new Promise((resolve) => {
      this.#end = () => {
        forget();
        resolve();
      };
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  breakOff(reason: Error): void {
    this.#controller.abort(reason);
  }

  end(): void {
    this.#end();
  }

  /** The response, whose end is that of the call. */
  watching(value: ServiceResponse): ServiceResponse {
    const end = (isDelivered: boolean) => {
      value.end(isDelivered);
      this.#end();
    };
    return { ...value, end };
  }
}

function requestFrom(
  request: Request,
  target: string,
  content: Uint8Array,
  signal: AbortSignal,
): ServiceRequest {
  return {
    method: request.method,
    target,
    mountPath: '',
    httpVersion: '1.1',
    headers: fieldsOf(request, content.length),
    body: content.length === 0 ? undefined : onePiece(content),
    caller: { address: '127.0.0.1', isEncrypted: false },
    signal,
  };
}

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
  const content = body ? await contentIn(body, signal) : whole;
  const length = headers.get('content-length');
  if (length === null || !body || Number(length) === content.length) return content;
  throw failure(
    'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
    `The header 'content-length: ${length}' does not match the body of ${content.length} bytes. Remove the header: fetch adds it.`,
  );
}

async function contentIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel);
  const pieces: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new TypeError('fetch failed', { cause });
    });
    signal.throwIfAborted();
    if (done) break;
    pieces.push(value);
  }
  signal.removeEventListener('abort', cancel);
  return joined(pieces);
}

async function* onePiece(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
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

/** Resolves once the first byte of the body has arrived. */
async function responseOf(
  value: ServiceResponse,
  platform: Platform,
  signal: AbortSignal,
): Promise<Response> {
  const { status, headers, body, delivery } = value;
  if (delivery?.kind === 'reset') throw lost(value, 'ECONNRESET', 'read ECONNRESET');
  if (delivery?.kind === 'empty') throw lost(value, 'UND_ERR_SOCKET', 'other side closed');
  const init = {
    status,
    statusText: platform.reasonPhrases[status] ?? '',
    headers: pairsOf(headers),
  };
  if (WITHOUT_BODY.includes(status) || body === '') {
    value.end(true);
    return new Response(null, init);
  }
  // The bytes may be kept for others, and the caller may do with what it reads as it likes.
  const own = body instanceof Uint8Array ? { ...value, body: new Uint8Array(body) } : value;
  const pieces = contentPieces(own, platform, signal);
  try {
    const first = delivery || !isWhole(body) ? await pieces.next() : { value: bytesOf(own.body) };
    return new Response(streamOf(first.value ?? NOTHING, pieces, own, signal), init);
  } catch (error) {
    value.end(false);
    throw error;
  }
}

const NOTHING = new Uint8Array();

function isWhole(body: ResponseBody): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function lost(value: ServiceResponse, code: string, message: string): Error {
  value.end(false);
  return new ConnectionError(message, code);
}

/**
 * The body, which arrives whether or not it is read. An abort discards what has arrived and is not
 * read yet, as with the global `fetch`; a connection that breaks does not.
 */
function streamOf(
  first: Uint8Array,
  others: AsyncGenerator<Uint8Array, void>,
  value: ServiceResponse,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let fail: (() => void) | undefined;
  async function pour(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      for await (const piece of others) controller.enqueue(piece);
      controller.close();
      value.end(true);
    } catch (error) {
      value.end(false);
      const reason = error instanceof ConnectionError ? failureBy(error, 'terminated') : error;
      fail = () => controller.error(reason);
      if (controller.desiredSize === 1) fail();
    }
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener('abort', () => {
        value.end(false);
        controller.error(signal.reason);
      });
      if (first.length > 0) controller.enqueue(first);
      if (value.delivery || !isWhole(value.body)) void pour(controller);
      else {
        controller.close();
        value.end(true);
      }
    },
    // Called when everything that has arrived is read.
    pull: () => fail?.(),
    cancel() {
      value.end(false);
      void others.return();
    },
  });
}

async function* contentPieces(
  value: ServiceResponse,
  platform: Platform,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { body, delivery } = value;
  if (delivery?.kind === 'cut') {
    yield bytesOf(body).subarray(0, delivery.afterBytes);
    throw closed();
  }
  if (delivery?.kind === 'slow') {
    const pieces = piecesOf(bytesOf(body));
    for (const piece of pieces) {
      await platform.wait(delivery.durationMs / pieces.length, signal);
      if (piece.length > 0) yield piece;
    }
  } else if (!isWhole(body)) {
    const encoder = new TextEncoder();
    for await (const piece of body) yield typeof piece === 'string' ? encoder.encode(piece) : piece;
  }
}

export function closed(): ConnectionError {
  return new ConnectionError('other side closed', 'UND_ERR_SOCKET');
}

function failure(code: string, sentence: string): TypeError {
  return failureBy(new ConnectionError(sentence, code));
}

export function failureBy(cause: ConnectionError, message = 'fetch failed'): TypeError {
  return new TypeError(message, { cause });
}
