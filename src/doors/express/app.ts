import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import express, { type Express } from 'express';
import { originForm } from '../../service/read-target.js';
import {
  type Caller,
  type HeaderFields,
  hasLength,
  type Service,
  type ServiceRequest,
  type ServiceResponse,
} from '../../service/request-and-response.js';
import { clearTimeout, setTimeout } from '../unfaked-time.js';
import { isHttp2 } from './connections.js';
import { FAULTY_DELIVERIES } from './faulty-deliveries.js';

/** Handles a request of Node; `done` is called if nothing has answered it. */
type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  done?: (error?: unknown) => void,
) => void;

/** The app that answers with the service: to be listened with, mounted, or tested with supertest. */
export function createApp(service: Service): Express {
  const app = express();
  app.disable('x-powered-by');
  const { handle } = app as Express & { readonly handle: Handle };
  app.use((request, response) => answer(service, request, response));
  const handleAny: Handle = (request, response, done) => {
    // Express itself answers a target without a path, with HTML.
    request.url = originForm(request.url ?? '');
    handle.call(app, request, response, done);
  };
  return Object.assign(app, { handle: handleAny });
}

/** Whether a stream of HTTP/2 ended with an error (RFC 9113, section 7): Node calls it finished, too. */
function isReset(response: ServerResponse | Http2ServerResponse): boolean {
  return 'stream' in response && response.stream.rstCode !== 0;
}

/** Answers a request of Node with the service. */
export function answer(service: Service, message: IncomingMessage, response: ServerResponse): void {
  const request = new SocketRequest(message);
  let value: ServiceResponse | undefined;
  let hasLeft = false;
  response.once('close', () => {
    hasLeft = true;
    const isDelivered = response.writableFinished && !isReset(response);
    if (!isDelivered) request.abort();
    value?.end(isDelivered);
  });
  service(request)
    .then((answered) => {
      value = answered;
      if (hasLeft) value.end(false);
      else deliver(value, message, response);
    })
    // The caller has gone, or a defect of the mock left it nothing to say.
    .catch(() => message.socket?.destroy());
}

/** Sends a response over a connection. */
function deliver(value: ServiceResponse, message: IncomingMessage, response: ServerResponse): void {
  const { status, body, delivery } = value;
  const headers = sendable(value.headers, message);
  if (delivery) {
    FAULTY_DELIVERIES[delivery.kind]({ ...value, headers }, message, response);
    return;
  }
  response.writeHead(status, headers);
  // Behind an earlier response, a body that nobody reads would hide that the client has gone.
  if (!response.socket) message.resume();
  if (typeof body === 'string') end(response, body, Number(headers['Content-Length']));
  else if (body instanceof Uint8Array) response.end(asBuffer(body));
  else void pour(body, response, !hasLength(headers));
}

/** Up to here a body is written in one piece with its header; to copy a longer one costs more. */
const JOINED_CHARACTERS = 16_384;

function end(response: ServerResponse, text: string, length: number): void {
  // ASCII needs no encoding, which costs a tenth of writing a page as JSON.
  const encoding = length === text.length ? 'latin1' : 'utf8';
  if (text.length < JOINED_CHARACTERS) response.end(text, encoding);
  else response.end(Buffer.from(text, encoding));
}

/** The same bytes, as what middleware of a user expects of a response. */
function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** What HTTP/2 says in frames (RFC 9113, section 8.2.2). */
const FIELDS_OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding'];

function sendable(headers: HeaderFields, message: IncomingMessage): HeaderFields {
  if (!isHttp2(message)) return headers;
  const fields = Object.entries(headers);
  return Object.fromEntries(
    fields.filter(([name]) => !FIELDS_OF_CONNECTION.includes(name.toLowerCase())),
  );
}

/** A stream without an end whose client reads nothing for so long is broken off. */
const PATIENCE_MS = 10_000;

/** Sends a body piece by piece, no faster than it is read, until it ends or the client leaves. */
async function pour(
  body: AsyncIterable<string | Uint8Array>,
  response: ServerResponse,
  isEndless: boolean,
): Promise<void> {
  try {
    for await (const piece of body) {
      if (response.closed || response.destroyed) return;
      if (response.write(piece)) continue;
      const timer = isEndless ? setTimeout(() => response.destroy(), PATIENCE_MS) : undefined;
      await drained(response);
      clearTimeout(timer);
    }
    response.end();
  } catch {
    response.destroy();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

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
    const isOfHttp2 = isHttp2(message);
    this.headers = isOfHttp2 ? fieldsOfHttp2(message) : message.rawHeaders;
    const isSent = isOfHttp2 ? !isWithoutBody(message) : hasBody(message);
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
