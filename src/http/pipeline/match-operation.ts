import cors from 'cors';
import type { Request, RequestHandler, Response } from 'express';
import type { RouteTable } from '../../openapi/route-table.js';
import { exchangeOf } from './exchange.js';
import { explainUnknownMethod } from './explain-unknown-method.js';
import { explainUnknownPath } from './explain-unknown-path.js';

/** Header fields of the answers that a page on another origin may read. */
const EXPOSED_HEADERS = [
  'WWW-Authenticate',
  'Retry-After',
  'Allow',
  'Preference-Applied',
  'Decisions',
];

/** Notes which path of the document the request is for. Refuses nothing. */
export function matchPath(table: RouteTable): RequestHandler {
  return (request, response, next) => {
    const path = table.match(pathOf(request));
    if (path) exchangeOf(response).path = path;
    next();
  };
}

/**
 * Lets pages on any origin call the operations; a preflight learns the methods of its own path.
 * What it asks for beyond them, or upon an unknown path, it lets through as well, so that the page
 * can read why the call is refused.
 */
export const allowAnyOrigin: RequestHandler = (request, response, next) => {
  if (request.method !== 'OPTIONS') return allowReading(request, response, next);
  const asked = preflightMethod(request);
  const known = exchangeOf(response).path?.methods ?? [];
  cors({
    methods: [...new Set(asked ? [...known, asked] : known)],
    exposedHeaders: EXPOSED_HEADERS,
    preflightContinue: true,
    maxAge: 600,
  })(request, response, next);
};

const allowReading = cors({ exposedHeaders: EXPOSED_HEADERS });

/** Settles 404, 405, OPTIONS and HEAD; what passes calls an operation of the document. */
export function matchOperation(table: RouteTable): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    if (!exchange.path) {
      const asked = preflightMethod(request);
      if (asked) return void response.status(204).end();
      // The server as a whole (RFC 9110, section 9.3.7).
      if (request.method === 'OPTIONS' && request.url === '*') {
        return answerOptions(response, [...new Set(table.paths.flatMap(({ methods }) => methods))]);
      }
      throw explainUnknownPath(request, pathOf(request), table);
    }
    const { routes, methods } = exchange.path;
    if (request.method === 'OPTIONS') return answerOptions(response, methods);
    const route = routes.get(request.method);
    if (!route) throw explainUnknownMethod(request, exchange.path);
    exchange.route = route;
    // The validator knows no HEAD; Node leaves the body of its answer out.
    if (request.method === 'HEAD') {
      exchange.method = 'HEAD';
      request.method = 'GET';
    }
    next();
  };
}

/** The method that a preflight asks for (Fetch standard, CORS protocol); none if it is no preflight. */
function preflightMethod({ method, headers }: Request): string | undefined {
  return method === 'OPTIONS' ? headers['access-control-request-method'] : undefined;
}

function answerOptions(response: Response, methods: readonly string[]): void {
  response.status(204).set('Allow', methods.join(', ')).end();
}

/** The path of the request, still encoded, without the query. */
export function pathOf(request: Request): string {
  const [path = ''] = request.url.split('?');
  return path;
}
