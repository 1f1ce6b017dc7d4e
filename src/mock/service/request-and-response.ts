import { shown } from '../../core/values/received-value.js';

/**
 * The mock: a function from a request to its response. It rejects only if the caller has gone; what
 * else goes wrong becomes a response.
 */
export type Service = (request: ServiceRequest) => Promise<ServiceResponse>;

/** An HTTP request as a value, without its socket. */
export interface ServiceRequest {
  readonly method: string;
  /** The request target (RFC 9112, section 3.2), below the path where the mock is mounted. */
  readonly target: string;
  /** The path where the mock is mounted; empty at the root. */
  readonly mountPath: string;
  /** Such as `1.1`. */
  readonly httpVersion: string;
  /** The header fields: each name, followed by its value. */
  readonly headers: readonly string[];
  /** The content, still encoded; undefined if the request has none. It can be read once. */
  readonly body: AsyncIterable<Uint8Array> | undefined;
  readonly caller: Caller;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

export interface Caller {
  /** The address of the other end; undefined if it has none. */
  readonly address: string | undefined;
  /** True if the request came over TLS, or from an in-process `fetch` of an https URL. */
  readonly isEncrypted: boolean;
}

/** An HTTP response as a value; the caller of the service delivers it. */
export interface ServiceResponse {
  readonly status: number;
  /** No two names differ only in case. */
  readonly headers: HeaderFields;
  /** Empty for HEAD, whose header fields are those of GET. */
  readonly body: ResponseBody;
  /** If left out, the response arrives whole. */
  readonly delivery?: Delivery | undefined;
  /** Call it with true when the last byte has left, or with false if it never will. */
  readonly end: (isDelivered: boolean) => void;
  /** Call it if the response cannot be delivered for another reason than that the caller has gone. */
  readonly fail: (reason: unknown) => ServiceResponse;
}

/** Header fields by name, with a list for a repeated one. */
export type HeaderFields = Readonly<Record<string, string | string[]>>;

/** Whether a response has a Content-Length; a stream that may never end has none. */
export function hasLength(headers: HeaderFields): boolean {
  return headers['Content-Length'] !== undefined;
}

/** Text is sent as UTF-8. */
export type ResponseBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** How a fault lets a response arrive. */
export interface Delivery {
  /** What arrives of the body, after the head; if left out, no byte of the response arrives. */
  readonly pieces?: readonly Uint8Array[];
  /** How long each piece waits for the one before it, and the first for the head; 0 if left out. */
  readonly pieceMs?: number;
  /** What happens after the last piece: the response ends, or the connection breaks. */
  readonly ending: 'complete' | 'close' | 'reset';
}

export function schemeOf({ isEncrypted }: Caller): 'http' | 'https' {
  return isEncrypted ? 'https' : 'http';
}

/**
 * The body as bytes. Empty for a stream: only the control plane sends those, and faults never touch
 * them.
 */
export function bytesOf(body: ResponseBody | undefined): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : '');
}

export function pairsOf(headers: HeaderFields): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}

/**
 * Reads the body of a `Request` or `Response`. Stops reading and rejects if the signal is aborted,
 * or if there are more than `maxBytes`.
 */
export async function contentIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const reader = body.getReader();
  const cancel = (reason: unknown) => void reader.cancel(reason).catch(() => undefined);
  const leave = () => cancel(signal.reason);
  signal.addEventListener('abort', leave);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return joined(pieces);
      if (!ArrayBuffer.isView(value)) {
        throw new TypeError(`A piece of the body is ${shown(value)}; expected a Uint8Array`);
      }
      length += value.length;
      if (length > maxBytes) {
        throw new RangeError(`The body is larger than the limit of ${maxBytes} bytes`);
      }
      pieces.push(value);
    }
  } catch (error) {
    cancel(error);
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first, ...others] = pieces;
  if (first && others.length === 0) return first;
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
