import type { IncomingMessage, ServerResponse } from 'node:http';

/** What another server does with a request that may be for the mock. */
export interface HandOver {
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
