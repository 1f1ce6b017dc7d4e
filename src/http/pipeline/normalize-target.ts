import type { RequestHandler } from 'express';

/** Takes the origin off a proxy's form of the request target (RFC 9112, section 3.2.2). */
export const normalizeTarget: RequestHandler = (request, _response, next) => {
  request.url = request.url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  request.originalUrl = request.url;
  next();
};
