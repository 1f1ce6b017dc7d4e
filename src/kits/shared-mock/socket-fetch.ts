import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { WITHOUT_BODY } from '../../core/values/body-type.js';
import { closed, failureBy } from '../../host/adapters/deliver-without-socket.js';
import type { Fetch } from '../../host/adapters/fetch.js';
import { contentOf, fieldsOf, requestOf } from '../../host/adapters/request-of-fetch.js';

/** Read at the start, before tools such as MSW replace these functions to intercept requests. */
const SENDERS = { 'http:': requestByHttp, 'https:': requestByHttps };

/**
 * Like `server.fetch`, but over a socket. The global `fetch` will not do: tools intercept it, jsdom
 * lacks it, and Node's waits for timers that a test may have faked.
 */
export function createSocketFetch(url: string): Fetch {
  const { protocol, hostname, port } = new URL(url);
  const send = SENDERS[protocol as keyof typeof SENDERS];
  const host = hostname.replace(/^\[|\]$/g, '');
  // The set-up chose the certificate, so there is nothing to check.
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
 * Reads the body at once instead of on demand, so the mock can send all of it whether or not it is
 * read. As in the global `fetch`, an abort discards what was not read yet.
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
        // Does nothing if the body was cancelled.
        controller.error(failureOf(error as NodeJS.ErrnoException, signal, 'terminated'));
      }
    },
    cancel() {
      message.destroy();
    },
  });
}

/** Why a call failed; if the connection was closed, with the code that the global `fetch` gives. */
function failureOf(error: NodeJS.ErrnoException, signal: AbortSignal, message: string): unknown {
  if (signal.aborted) return signal.reason;
  // Node uses this code for a reset by the other side too, but then with a syscall.
  const isClosed = error.code === 'ECONNRESET' && error.syscall === undefined;
  const { code = '' } = error;
  return failureBy(isClosed ? closed() : Object.assign(error, { code }), message);
}
