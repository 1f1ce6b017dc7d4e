import type { Platform } from '../../mock/service/platform.js';
import type {
  Service,
  ServiceRequest,
  ServiceResponse,
} from '../../mock/service/request-and-response.js';
import { ConnectionError, closed, failureBy, responseOf } from './deliver-without-socket.js';
import { contentOf, fieldsOf, givenSignal, onePiece, requestOf } from './request-of-fetch.js';

/**
 * A `fetch` that reaches the mock without a socket.
 *
 * @example
 * const fetching: Fetch = server.fetch;
 * const response = await fetching('/measurements', { headers: { Authorization: 'Bearer t' } });
 */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** The base of relative URLs, since there is no address. */
const ORIGIN = 'http://localhost';

export interface InProcess {
  readonly fetch: Fetch;
  /** Sends a request to this path and query of the mock, whatever the request's URL is. */
  deliver(request: Request, target: string): Promise<Response>;
  /** Waits for the calls under way, and aborts those that take longer than `graceMs`. */
  endCalls(graceMs: number): Promise<void>;
}

/**
 * Creates a `fetch` that calls the service directly, without a port. Unless aborted, it rejects
 * where the global one does, with a `TypeError` whose cause has the same code; `unanswered` is its
 * message if there is no response. It does not follow redirects, cache, or store cookies.
 */
export function createInProcess(
  service: Service,
  platform: Platform,
  basePath = '',
  unanswered = 'fetch failed',
): InProcess {
  const baseUrl = `${ORIGIN}${basePath}/`;
  const underWay = new Set<Call>();
  async function deliver(
    request: Request,
    target: string,
    signal = request.signal,
  ): Promise<Response> {
    signal.throwIfAborted();
    const content = await contentOf(request, signal);
    // The caller may have left while the content was read.
    signal.throwIfAborted();
    const call = new Call(signal, () => underWay.delete(call));
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
      const signal = givenSignal(init);
      const request = requestOf(input, baseUrl, signal ? { ...init, signal: null } : init);
      const { pathname, search } = new URL(request.url);
      return deliver(request, pathname + search, signal);
    },
    async endCalls(graceMs) {
      const calls = [...underWay];
      const cancel = platform.after(graceMs, () => {
        for (const call of calls) call.breakOff(closed());
      });
      await Promise.all(calls.map(({ ended }) => ended));
      cancel();
    },
  };
}

/** A call under way: it ends with the last byte of its response, or when its caller leaves. */
class Call {
  readonly ended: Promise<void>;
  readonly #controller = new AbortController();
  #end: () => void = () => undefined;

  constructor(caller: AbortSignal, forget: () => void) {
    const leave = () => this.#controller.abort(caller.reason);
    // Never removed: an abort still discards content that has arrived but is unread.
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

  /** The response, whose end also ends the call. */
  watching(value: ServiceResponse): ServiceResponse {
    return {
      ...value,
      end: (isDelivered) => {
        value.end(isDelivered);
        this.#end();
      },
      fail: (reason) => this.watching(value.fail(reason)),
    };
  }
}

function requestFrom(
  request: Request,
  target: string,
  content: Uint8Array,
  signal: AbortSignal,
): ServiceRequest {
  const { protocol, pathname, search } = new URL(request.url);
  const called = pathname + search;
  return {
    method: request.method,
    target,
    mountPath: called.endsWith(target) ? called.slice(0, -target.length) : '',
    httpVersion: '1.1',
    headers: fieldsOf(request, content.length),
    body: content.length === 0 ? undefined : onePiece(content),
    caller: { address: '127.0.0.1', isEncrypted: protocol === 'https:' },
    signal,
  };
}
