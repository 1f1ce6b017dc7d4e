/**
 * The mock: a function from a request to its response. It rejects only if the caller has gone, by
 * the reason of the request's signal: whatever else goes wrong is a response.
 */
export type Service = (request: ServiceRequest) => Promise<ServiceResponse>;

/** A request of HTTP as a value: nothing of it is a socket. */
export interface ServiceRequest {
  readonly method: string;
  /** The request target (RFC 9112, section 3.2) as sent, below the path where the mock is mounted. */
  readonly target: string;
  /** The path where the mock is mounted; empty at the root. */
  readonly mountPath: string;
  /** The version of HTTP, such as `1.1`. */
  readonly httpVersion: string;
  /** Names and values of the header fields by turns, as sent. */
  readonly headers: readonly string[];
  /** The content as sent; undefined if the request has none. It can be read once. */
  readonly body: AsyncIterable<Uint8Array> | undefined;
  readonly caller: Caller;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** Who sent a request. */
export interface Caller {
  /** The address of the other end; undefined if it has none. */
  readonly address: string | undefined;
  /** True if the request came over TLS. */
  readonly isEncrypted: boolean;
}

/** A response of HTTP as a value; whoever asked for it delivers it. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  /** Empty for HEAD, whose header fields are those of GET. */
  readonly body: ResponseBody;
  /** How it reaches the caller; whole if left out. */
  readonly delivery?: Delivery | undefined;
  /** To be called once: true if the last byte has left, false if the caller has gone before. */
  readonly end: (isDelivered: boolean) => void;
}

/** Header fields by name, of a repeated one all values; no two names differ in case alone. */
export type HeaderFields = Readonly<Record<string, string | string[]>>;

/** Text is sent as UTF-8. */
export type ResponseBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** A fault on the way to the caller. */
export type Delivery =
  /** No byte of it arrives: the connection is reset. */
  | { readonly kind: 'reset' }
  /** No byte of it arrives: the connection is closed. */
  | { readonly kind: 'empty' }
  /** The connection is closed after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The body arrives in ten pieces, the last one after this time. */
  | { readonly kind: 'slow'; readonly durationMs: number };
