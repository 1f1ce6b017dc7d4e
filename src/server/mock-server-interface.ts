import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Mock } from './mock.js';

/**
 * A mock of the billing service.
 *
 * @example
 * const server: MockServer = await createMockServer();
 * const url = await server.start();
 * server.account('my-token').reset();
 * await server.stop();
 */
export interface MockServer extends Mock {
  /**
   * The URL of the mock, such as `http://127.0.0.1:4010`; with the base path, and HTTPS if there is a
   * certificate. Throws until the server has started.
   */
  readonly url: string;
  /** The Express app, for supertest or your own server; the app answers without `start()`. */
  readonly app: RequestListener;
  /** Starts to listen and returns the URL. Rejects if the port is not available. */
  start(): Promise<string>;
  /** Stops listening; responses under way, those of `fetch` too, get half a second. Accounts stay. */
  stop(): Promise<void>;
  /** The token that the control plane requires in `X-Control-Token`; undefined if no token is required. */
  readonly controlToken: string | undefined;
}

/** What the server that hands requests to a mock makes otherwise. */
export interface MountSurroundings {
  /** True to require the control token of other machines only. */
  readonly trustsLoopback?: boolean;
  /** Where relative paths of datasets begin, if not in the current folder. */
  readonly folder?: string;
  /** Told of a file that has changed and was reloaded, or of the mistakes for which it cannot be used. */
  readonly onReload?: (changed: string, mistakes?: string) => void;
}

/** What another server does with a request that may be for the mock. */
export interface Mount {
  /** Whether the path of the request is the base path, or below. */
  isBelow(request: IncomingMessage): boolean;
  /**
   * Whether the mock answers the path, whatever the method: that of an operation, of a stub, of the
   * control plane; any path below the base path if there are routes.
   */
  hasPath(request: IncomingMessage): boolean;
  /** Answers the request, with a 404 if the mock does not have its path. */
  answer(request: IncomingMessage, response: ServerResponse): void;
}
