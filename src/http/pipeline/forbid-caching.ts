import type { RequestHandler } from 'express';

/** Forbids caching: state changes between two requests. */
export const forbidCaching: RequestHandler = (request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  // Express would answer a conditional GET with 304, which the document does not have.
  delete request.headers['if-none-match'];
  delete request.headers['if-modified-since'];
  next();
};
