import type { Express, Request, Response } from 'express';

type Handle = (request: Request, response: Response, done?: (error?: unknown) => void) => void;

/**
 * Normalises the target of every request before the app sees it: Express answers on its own, with
 * HTML, where it finds no path in a target, and so before the first step. The base path is taken off,
 * as that of a mounted app is: the steps see the paths of the document.
 */
export function normalizeTargets(app: Express, basePath: string): Express {
  const handle = (app as Express & { readonly handle: Handle }).handle.bind(app);
  const handleNormalized: Handle = (request, response, done) => {
    request.url = normalized(request.url);
    if (basePath !== '') takeOff(basePath, request);
    request.originalUrl = request.url;
    handle(request, response, done);
  };
  return Object.assign(app, { handle: handleNormalized });
}

function takeOff(basePath: string, request: Request): void {
  const rest = request.url.slice(basePath.length);
  if (!request.url.startsWith(basePath) || !/^([/?]|$)/.test(rest)) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.baseUrl = (request.baseUrl ?? '') + basePath;
}

/** Takes the origin off a proxy's form of the request target (RFC 9112, section 3.2.2). */
function normalized(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const withoutOrigin = target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  // A target of another scheme names nothing here: it is an unknown path.
  return withoutOrigin.startsWith('/') ? withoutOrigin : `/${withoutOrigin}`;
}
