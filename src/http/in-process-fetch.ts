import type { Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { ConnectionError, receiveAnswer } from './in-process-answer.js';
import { messageOf } from './in-process-request.js';
import type { BreakableConnection } from './pipeline/fault-effects.js';

/**
 * A `fetch` that reaches the mock without a socket.
 *
 * @example
 * const fetching: Fetch = server.fetch;
 * const answer = await fetching('/measurements', { headers: { Authorization: 'Bearer t' } });
 */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** Where a relative URL begins: there is no address. */
const ORIGIN = 'http://localhost';

/** Who calls in process, as the server sees it. */
interface Caller {
  readonly remoteAddress: string | undefined;
  /** True for a call that came over TLS. */
  readonly encrypted?: boolean;
}

const THIS_PROCESS: Caller = { remoteAddress: '127.0.0.1' };

/**
 * Creates a `fetch` that speaks HTTP with the server over a pair of streams: the same parser and the
 * same pipeline as over a socket, and no port. It rejects where the global one does, with a
 * `TypeError` whose cause has the same code. There are no redirects, caching or cookies. Node's own
 * client is not used, so that tools that intercept it, such as MSW, can forward requests.
 */
export function createFetch(server: Server, basePath = '', caller = THIS_PROCESS): Fetch {
  return createFetchOver(() => connectTo(server, caller), `${ORIGIN}${basePath}/`);
}

/** Creates a `fetch` that sends each request over a connection of its own. */
export function createFetchOver(connect: () => Duplex, baseUrl: string): Fetch {
  return async (input, init) => {
    const request = requestOf(input, baseUrl, init);
    const { signal } = request;
    signal.throwIfAborted();
    const message = await messageOf(request);
    const connection = connect();
    const abort = () => connection.destroy(signal.reason);
    signal.addEventListener('abort', abort);
    connection.once('close', () => signal.removeEventListener('abort', abort));
    connection.write(message);
    return receiveAnswer(connection, request);
  };
}

/** The input itself, if it is a complete request: creating one takes as long as answering it. */
function requestOf(input: Request | URL | string, baseUrl: string, init?: RequestInit): Request {
  if (input instanceof Request && init === undefined && !input.bodyUsed) return input;
  return new Request(typeof input === 'string' ? new URL(input, baseUrl) : input, init);
}

/** Gives the server one end of a connection, and returns the other. */
function connectTo(server: Server, caller: Caller): Duplex {
  const [near, far] = duplexPair();
  const connection: BreakableConnection & Caller = {
    ...caller,
    resetAndDestroy() {
      near.destroy(new ConnectionError('read ECONNRESET', 'ECONNRESET'));
      far.destroy();
    },
    destroySoon: () => far.end(() => far.destroy()),
  };
  // When one end closes, the other does too, as with a socket.
  near.once('close', () => far.destroy());
  far.once('close', () => near.push(null));
  server.emit('connection', Object.assign(far, connection));
  return near;
}
