import type { Request, RequestHandler } from 'express';
import { ProblemError } from '../../errors/problem-error.js';
import type { RouteTable } from '../../openapi/route-table.js';
import { answerOptions } from './allowed-methods.js';
import { preflightMethod } from './cors.js';
import { exchangeOf } from './exchange.js';
import { explainMissingBasePath, explainUnknownPath } from './explain-unknown-path.js';
import { isBelow, pathOf } from './match-path.js';
import { isTop, pageOf } from './open-page.js';

/** What has a path although the document has none. */
interface BesideOperations {
  readonly basePath?: string;
  /** Whether something else than an operation answers a path. */
  readonly isKnown?: (request: Request, path: string) => boolean;
  /** Whether a browser is sent from `/` to the page. */
  readonly hasPage?: boolean | undefined;
  /** Paths that are listed with those of the document. */
  readonly others?: readonly string[];
}

/** Refuses a path that the document does not have with 404. Lets its preflight through. */
export function refuseUnknownPath(
  routes: RouteTable,
  { basePath = '', isKnown = () => false, hasPage = false, others = [] }: BesideOperations,
): RequestHandler {
  return (request, response, next) => {
    if (exchangeOf(response).path) return next();
    if (preflightMethod(request)) return void response.status(204).end();
    // The server as a whole (RFC 9110, section 9.3.7).
    if (request.method === 'OPTIONS' && request.url === '*') {
      return answerOptions(response, [...new Set(routes.paths.flatMap(({ methods }) => methods))]);
    }
    const problem = isBelow(basePath, request)
      ? explainUnknownPath(request, pathOf(request), routes, others)
      : explainMissingBasePath(
          basePath,
          pathOf(request),
          (path) => routes.match(path) !== undefined || isKnown(request, path),
        );
    if (!hasPage || !isTop(request)) throw problem;
    throw new ProblemError(
      'unknown-path',
      `${problem.message} A browser is sent to the page of the mock, ${pageOf(request, basePath)}.`,
    );
  };
}
