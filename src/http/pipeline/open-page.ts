import type { Request, RequestHandler } from 'express';
import { isBelow, pathOf } from './match-path.js';

/** Sends a browser that asks for `/` to the page of the mock. */
export function openPage(basePath: string): RequestHandler {
  return (request, response, next) => {
    if (!isOfBrowser(request) || !isTop(request)) return next();
    response.vary('Accept');
    response.redirect(302, pageOf(request, basePath));
  };
}

/** Whether a person asks, by way of a browser. */
export function isOfBrowser({ headers }: Request): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}

/** Whether the request reads the path that people try first. */
export function isTop(request: Request): boolean {
  return ['GET', 'HEAD'].includes(request.method) && pathOf(request) === '/';
}

/** The path of the page. */
export function pageOf(request: Request, basePath: string): string {
  const top = isBelow(basePath, request) ? request.baseUrl : request.baseUrl + basePath;
  return `${top}/__control/ui`;
}
