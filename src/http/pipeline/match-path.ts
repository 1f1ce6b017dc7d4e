import type { Request, RequestHandler } from 'express';
import type { RouteTable } from '../../openapi/route-table.js';
import { exchangeOf } from './exchange.js';

/** Notes which path of the document the request is for. Refuses nothing. */
export function matchPath(routes: RouteTable): RequestHandler {
  return (request, response, next) => {
    const path = routes.match(pathOf(request));
    if (path) exchangeOf(response).path = path;
    next();
  };
}

/** The path of the request, still encoded, without the query. */
export function pathOf(request: Request): string {
  const [path = ''] = request.url.split('?');
  return path;
}
