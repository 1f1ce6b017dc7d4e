import type { RequestHandler } from 'express';

/** Has every answer read anew: state changes between two of them. */
export const forbidCaching: RequestHandler = (request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  // Express would answer a conditional GET with 304, which the document does not have.
  delete request.headers['if-none-match'];
  delete request.headers['if-modified-since'];
  next();
};
