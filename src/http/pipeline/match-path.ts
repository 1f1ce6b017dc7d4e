import type { Request, RequestHandler } from 'express';
import type { RouteTable } from '../../openapi/route-table.js';
import { exchangeOf } from './exchange.js';

/** Notes which path of the document, below the base path, the request is for. Refuses nothing. */
export function matchPath(routes: RouteTable, basePath = ''): RequestHandler {
  return (request, response, next) => {
    const path = isBelow(basePath, request) ? routes.match(pathOf(request)) : undefined;
    if (path) exchangeOf(response).path = path;
    next();
  };
}

/** Whether the request was sent to a path below the base path, which is taken off by then. */
export function isBelow(basePath: string, { baseUrl }: Request): boolean {
  return baseUrl.endsWith(basePath);
}

/** The path of the request, still encoded, without the query. */
export function pathOf(request: Request): string {
  const [path = ''] = request.url.split('?');
  return path;
}
