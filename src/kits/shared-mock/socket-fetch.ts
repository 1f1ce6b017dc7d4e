import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { closed, failureBy } from '../../doors/deliver-without-socket.js';
import type { Fetch } from '../../doors/fetch.js';
import { contentOf, fieldsOf, requestOf } from '../../doors/request-of-fetch.js';
import { WITHOUT_BODY } from '../../stubs/header-fields.js';

/** Read once: what intercepts requests in a test, such as MSW, replaces them in their modules. */
const SENDERS = { 'http:': requestByHttp, 'https:': requestByHttps };

/**
 * As `server.fetch`, but over a socket. The global `fetch` is what tools intercept, `jsdom` lacks it,
 * and that of Node waits for timers that a test may have faked.
 */
export function createSocketFetch(url: string): Fetch {
  const { protocol, hostname, port } = new URL(url);
  const send = SENDERS[protocol as keyof typeof SENDERS];
  const host = hostname.replace(/^\[|\]$/g, '');
  // The certificate is one that the set-up was given.
  const address = { host, port, agent: false, rejectUnauthorized: false };
  return async (input, init) => {
    const request = requestOf(input, `${url}/`, init);
    const { method, signal } = request;
    signal.throwIfAborted();
    const content = await contentOf(request);
    const { pathname, search } = new URL(request.url);
    const headers = fieldsOf(request, content.length);
    const options = { ...address, method, path: pathname + search, headers, signal };
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      send(options, resolve)
        .on('error', (error) => reject(failureOf(error, signal, 'fetch failed')))
        .end(content);
    });
    return responseOf(message, request);
  };
}

function responseOf(message: IncomingMessage, { method, url, signal }: Request): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message;
  const headers = new Headers();
  for (let nth = 0; nth < rawHeaders.length; nth += 2) {
    headers.append(rawHeaders[nth] ?? '', rawHeaders[nth + 1] ?? '');
  }
  const isEmpty = method === 'HEAD' || WITHOUT_BODY.includes(status);
  if (isEmpty) message.resume();
  const body = isEmpty ? null : bodyOf(message, signal);
  const response = new Response(body, { status, statusText, headers });
  return Object.defineProperty(response, 'url', { value: url });
}

/**
 * The body, which is received at once and not on demand: the response is sent whether or not it is
 * read. An abort discards what is received and not read yet, as with the global `fetch`.
 */
function bodyOf(message: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      signal.addEventListener('abort', () => {
        message.destroy();
        controller.error(signal.reason);
      });
      try {
        for await (const piece of message) controller.enqueue(Uint8Array.from(piece));
        controller.close();
      } catch (error) {
        // Nothing happens if the body was cancelled meanwhile.
        controller.error(failureOf(error as NodeJS.ErrnoException, signal, 'terminated'));
      }
    },
    cancel() {
      message.destroy();
    },
  });
}

/** Why a call failed; a connection that was closed has the code of the global `fetch`. */
function failureOf(error: NodeJS.ErrnoException, signal: AbortSignal, message: string): unknown {
  if (signal.aborted) return signal.reason;
  // Node has the same code where the other side resets the connection.
  const isClosed = error.code === 'ECONNRESET' && error.syscall === undefined;
  const { code = '' } = error;
  return failureBy(isClosed ? closed() : Object.assign(error, { code }), message);
}
