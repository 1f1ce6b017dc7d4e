import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import { exchangeOf } from './exchange.js';

/** Header fields of the answers that a page on another origin may read. */
const EXPOSED_HEADERS = [
  'WWW-Authenticate',
  'Retry-After',
  'Allow',
  'Preference-Applied',
  'Decisions',
];

/**
 * Lets pages on any origin call the operations; a preflight gets the methods of its path.
 * A preflight for another method or an unknown path succeeds as well, so that the page can read why
 * the call is refused.
 */
export const allowAnyOrigin: RequestHandler = (request, response, next) => {
  if (request.method !== 'OPTIONS') return allowReading(request, response, next);
  const requested = preflightMethod(request);
  const known = exchangeOf(response).path?.methods ?? [];
  cors({
    methods: [...new Set(requested ? [...known, requested] : known)],
    exposedHeaders: EXPOSED_HEADERS,
    preflightContinue: true,
    maxAge: 600,
  })(request, response, next);
};

const allowReading = cors({ exposedHeaders: EXPOSED_HEADERS });

/** The method that a preflight asks for (Fetch standard, CORS protocol); none if it is no preflight. */
export function preflightMethod({ method, headers }: Request): string | undefined {
  return method === 'OPTIONS' ? headers['access-control-request-method'] : undefined;
}
