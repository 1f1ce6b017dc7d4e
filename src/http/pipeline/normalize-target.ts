import type { Express, Request, Response } from 'express';

type Handle = (request: Request, response: Response, done?: (error?: unknown) => void) => void;

/**
 * Normalises the target of every request before the app sees it: Express answers on its own, with
 * HTML, where it finds no path in a target, and so before the first step.
 */
export function normalizeTargets(app: Express): Express {
  const handle = (app as Express & { readonly handle: Handle }).handle.bind(app);
  const handleNormalized: Handle = (request, response, done) => {
    request.url = normalized(request.url);
    request.originalUrl = request.url;
    handle(request, response, done);
  };
  return Object.assign(app, { handle: handleNormalized });
}

/** Takes the origin off a proxy's form of the request target (RFC 9112, section 3.2.2). */
function normalized(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const withoutOrigin = target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  // A target of another scheme names nothing here: it is an unknown path.
  return withoutOrigin.startsWith('/') ? withoutOrigin : `/${withoutOrigin}`;
}
