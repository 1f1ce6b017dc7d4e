import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Caller, ServiceRequest } from '../../service/service.js';

/** Emitted by a request of Node when its body is wanted. */
const BODY_WANTED = 'bodyWanted';

/** A request of Node as the service reads it. */
export class SocketRequest implements ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly mountPath: string;
  readonly httpVersion: string;
  readonly headers: readonly string[];
  readonly body: AsyncIterable<Uint8Array> | undefined;
  readonly #message: IncomingMessage;
  #controller: AbortController | undefined;
  #isAborted = false;

  constructor(message: IncomingMessage) {
    const { baseUrl = '' } = message as IncomingMessage & { readonly baseUrl?: string };
    this.#message = message;
    this.method = message.method ?? '';
    this.target = message.url ?? '';
    this.mountPath = baseUrl;
    this.httpVersion = message.httpVersion;
    const isHttp2 = message.httpVersionMajor === 2;
    this.headers = isHttp2 ? fieldsOfHttp2(message) : message.rawHeaders;
    const isSent = isHttp2 ? !isWithoutBody(message) : hasBody(message);
    this.body = isSent ? { [Symbol.asyncIterator]: () => this.#read() } : undefined;
  }

  get caller(): Caller {
    const { remoteAddress, encrypted = false } = this.#message.socket as TLSSocket;
    return { address: remoteAddress, isEncrypted: encrypted };
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  /** The caller has gone. */
  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }

  async *#read(): AsyncGenerator<Uint8Array, void> {
    this.#message.emit(BODY_WANTED);
    if (this.#message.readableEncoding !== null) {
      throw new Error('The body was decoded before the mock could read its bytes.');
    }
    try {
      yield* this.#message.iterator({ destroyOnReturn: false });
    } catch (error) {
      this.abort();
      throw error;
    }
    // A body that is not read to its end must not keep the next request of the connection waiting.
    this.#message.resume();
  }
}

/** The header fields without those that only HTTP/2 has (RFC 9113, section 8.3.1). */
function fieldsOfHttp2({ rawHeaders, headers }: IncomingMessage): readonly string[] {
  const fields: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (name === ':authority' && headers.host === undefined) fields.push('host', value);
    else if (!name.startsWith(':')) fields.push(name, value);
  }
  return fields;
}

function isWithoutBody(message: IncomingMessage): boolean {
  const { stream } = message as unknown as Http2ServerRequest;
  return ['GET', 'HEAD'].includes(message.method ?? '') || stream.endAfterHeaders;
}

/** Whether the head of a request announces a body. */
function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Answers `Expect: 100-continue` with `100 Continue` once the body is read, and not before: a body
 * whose head is refused is never sent (RFC 9110, section 10.1.1). Node closes such a connection; where
 * there is no body to wait for, it is kept open.
 */
export function continueOnRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) response.writeContinue();
    else request.once(BODY_WANTED, () => response.writeContinue());
    server.emit('request', request, response);
  });
}
