import type { RequestHandler } from 'express';
import { isOfBrowser } from '../http/pipeline/open-page.js';
import { PAGE_PATH } from './serve-page.js';

/** Where to begin, health and readiness, with their paths. */
export const PROBES = { getStart: '/', getHealth: '/health', getReadiness: '/ready' } as const;

/** Answers health and readiness before every check, so that a container can be probed. */
export function answerProbes(version: string): RequestHandler {
  return (request, response, next) => {
    const isProbe = [PROBES.getHealth, PROBES.getReadiness].some((path) => path === request.path);
    if (!isProbe || !['GET', 'HEAD'].includes(request.method)) return next();
    response.json({ status: 'ok', version });
  };
}

/** Says where to begin, without a token; sends a browser to the page, if there is one. */
export function answerStart(hasPage: boolean): RequestHandler {
  return (request, response, next) => {
    const { path, method, baseUrl } = request;
    if (path !== PROBES.getStart || !['GET', 'HEAD'].includes(method)) return next();
    const page = baseUrl + PAGE_PATH;
    response.vary('Accept');
    if (hasPage && isOfBrowser(request)) return response.redirect(302, page);
    const document = `${baseUrl}/control.openapi.json`;
    response.json({ health: baseUrl + PROBES.getHealth, document, ...(hasPage && { page }) });
  };
}
