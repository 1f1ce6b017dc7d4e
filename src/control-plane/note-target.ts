import type { RequestHandler } from 'express';

/** The validator reads the whole target, but the document has the paths below the mount. */
export const noteTarget: RequestHandler = (request, _response, next) => {
  request.originalUrl = request.url;
  next();
};
