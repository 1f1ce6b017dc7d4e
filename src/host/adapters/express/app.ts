import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import express, { type Express } from 'express';
import { originForm } from '../../../mock/service/read-target.js';
import {
  type Caller,
  type HeaderFields,
  hasLength,
  type Service,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../mock/service/request-and-response.js';
import { clearTimeout, setTimeout } from '../unfaked-time.js';
import { isHttp2 } from './connections.js';
import { deliverFaulty } from './faulty-deliveries.js';
import { isRead, leftBody } from './left-body.js';

/** Express calls `done` if nothing has answered the request. */
type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  done?: (error?: unknown) => void,
) => void;

export function createApp(service: Service): Express {
  const app = express();
  app.disable('x-powered-by');
  const { handle } = app as Express & { readonly handle: Handle };
  app.use((request, response) => answer(service, request, response));
  const handleAny: Handle = (request, response, done) => {
    // Express would answer a target without a path itself, in HTML.
    request.url = originForm(request.url ?? '');
    handle.call(app, request, response, done);
  };
  return Object.assign(app, { handle: handleAny });
}

/** Whether an HTTP/2 stream was reset (RFC 9113, section 7); Node calls its response finished. */
function isReset(response: ServerResponse | Http2ServerResponse): boolean {
  return 'stream' in response && response.stream.rstCode !== 0;
}

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
      else deliverOrFail(value, message, response);
    })
    // The caller has gone.
    .catch(() => message.socket?.destroy());
}

/** If the response cannot be sent, sends a plain problem, or breaks off what was begun. */
function deliverOrFail(
  value: ServiceResponse,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  try {
    deliver(value, message, response);
  } catch (reason) {
    const instead = value.fail(reason);
    if (response.headersSent) response.destroy();
    else deliver(instead, message, response);
  }
}

function deliver(value: ServiceResponse, message: IncomingMessage, response: ServerResponse): void {
  const { status, body, delivery } = value;
  const headers = sendable(value.headers, message);
  if (delivery) {
    deliverFaulty(delivery, [status, headers], message, response);
    return;
  }
  response.writeHead(status, headers);
  // While an earlier response is being sent, an unread body would hide that the client has gone.
  if (!response.socket) message.resume();
  if (typeof body === 'string') end(response, body, Number(headers['Content-Length']));
  else if (body instanceof Uint8Array) response.end(asBuffer(body));
  else void pour({ ...value, body }, response);
}

/** A shorter body is sent in one piece with its header; copying a longer one would cost more. */
const JOINED_CHARACTERS = 16_384;

function end(response: ServerResponse, text: string, length: number): void {
  // ASCII needs no encoding, which would add a tenth to the time it takes to write a page as JSON.
  const encoding = length === text.length ? 'latin1' : 'utf8';
  if (text.length < JOINED_CHARACTERS) response.end(text, encoding);
  else response.end(Buffer.from(text, encoding));
}

/** The same bytes as a `Buffer`, which users' middleware expects. */
function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Header fields that HTTP/2 forbids (RFC 9113, section 8.2.2). */
const CONNECTION_FIELDS = [
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
];

function sendable(headers: HeaderFields, message: IncomingMessage): HeaderFields {
  if (!isHttp2(message)) return headers;
  const fields = Object.entries(headers);
  return Object.fromEntries(
    fields.filter(([name]) => !CONNECTION_FIELDS.includes(name.toLowerCase())),
  );
}

/** How long an endless stream waits for a client that reads nothing, before it is cut off. */
const PATIENCE_MS = 10_000;

/** Sends a body piece by piece, no faster than the client reads it. */
async function pour(
  { body, headers, fail }: ServiceResponse & { readonly body: AsyncIterable<string | Uint8Array> },
  response: ServerResponse,
): Promise<void> {
  const isEndless = !hasLength(headers);
  try {
    for await (const piece of body) {
      if (response.closed || response.destroyed) return;
      if (response.write(piece)) continue;
      const timer = isEndless ? setTimeout(() => response.destroy(), PATIENCE_MS) : undefined;
      await drained(response);
      clearTimeout(timer);
    }
    response.end();
  } catch (reason) {
    if (!response.closed) fail(reason);
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

/** Emitted by a request when the service begins to read its body. */
const BODY_WANTED = 'bodyWanted';

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
    const fields = isOfHttp2 ? fieldsOfHttp2(message) : message.rawHeaders;
    this.headers = isRead(message) ? withoutCoding(fields) : fields;
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

  /** Call it when the caller has gone. */
  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }

  async *#read(): AsyncGenerator<Uint8Array, void> {
    this.#message.emit(BODY_WANTED);
    if (isRead(this.#message)) {
      yield leftBody(this.#message);
      return;
    }
    try {
      yield* this.#message.iterator({ destroyOnReturn: false });
    } catch (error) {
      this.abort();
      throw error;
    }
  }
}

/** The header fields of a body that middleware has decompressed. */
function withoutCoding(fields: readonly string[]): readonly string[] {
  const pairs = fields.map((name, index) =>
    index % 2 === 0 ? [name, fields[index + 1] ?? ''] : [],
  );
  return pairs.filter(([name]) => name?.toLowerCase() !== 'content-encoding').flat();
}

/** The header fields without pseudo-fields; `:authority` becomes Host (RFC 9113, section 8.3.1). */
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
 * Answers `Expect: 100-continue` only when the service begins to read the body, so that clients do
 * not send the body of a refused request (RFC 9110, section 10.1.1). Without `100 Continue`, Node
 * closes the connection, so a request without a body gets it at once.
 */
export function continueOnRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) response.writeContinue();
    else request.once(BODY_WANTED, () => response.writeContinue());
    server.emit('request', request, response);
  });
}
