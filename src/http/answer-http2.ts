import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { createFetch } from './in-process-fetch.js';

/** What HTTP/2 says in frames (RFC 9113, section 8.2.2). */
const FIELDS_OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding'];

/** RFC 9113, section 7. */
const INTERNAL_ERROR = 0x2;

/**
 * Answers a request of HTTP/2, by its interface of HTTP/1.1, with what the server answers in process: Express knows HTTP/1.1 alone.
 * Where the mock closes the connection, the stream is closed with an error.
 */
export async function answerHttp2(
  server: Server,
  compatibleRequest: IncomingMessage,
  compatibleResponse: ServerResponse,
): Promise<void> {
  const request = compatibleRequest as unknown as Http2ServerRequest;
  const response = compatibleResponse as unknown as Http2ServerResponse;
  const { remoteAddress } = request.socket;
  const caller = { remoteAddress, encrypted: (request.socket as TLSSocket).encrypted };
  const closing = new AbortController();
  response.once('close', () => closing.abort());
  try {
    const answer = await createFetch(server, '', caller)(requestOf(request, closing.signal));
    const fields = [...answer.headers].filter(([name]) => !FIELDS_OF_CONNECTION.includes(name));
    response.writeHead(answer.status, Object.fromEntries(fields));
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  } catch {
    response.stream.close(INTERNAL_ERROR);
  }
}

function requestOf(request: Http2ServerRequest, signal: AbortSignal): Request {
  const { method, url, authority, headers } = request;
  const fields = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  const hasBody = !['GET', 'HEAD'].includes(method) && !request.stream.endAfterHeaders;
  return new Request(`https://${authority}${url}`, {
    method,
    headers: fields.map(([name, value]): [string, string] => [name, String(value)]),
    signal,
    ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }),
  });
}
