import type { RequestHandler } from 'express';
import { ProblemError } from '../billing/problems.js';

/** Refuses what breaks HTTP itself and what Node would refuse without a word (RFC 9112, RFC 9110). */
export const checkMessage: RequestHandler = (request, _response, next) => {
  const { host, expect } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') {
    throw new ProblemError(
      'malformed-http',
      'The request has no Host header; HTTP/1.1 expects one. Add it (RFC 9112, section 3.2).',
    );
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ProblemError(
      'unmet-expectation',
      `The request has 'Expect: ${expect}'; expected '100-continue' or no such header. Take it out.`,
    );
  }
  next();
};
