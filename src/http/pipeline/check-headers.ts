import type { RequestHandler } from 'express';
import { ProblemError } from '../../errors/problem-error.js';
import { cut } from '../../messages/received-value.js';

/** Header fields that a request has at most once; of several, Node silently keeps the first. */
const SINGLE_FIELDS = ['Host', 'Authorization', 'Content-Type'];

/** Refuses malformed HTTP, and what Node would silently refuse (RFC 9112, RFC 9110). */
export const checkHeaders: RequestHandler = (request, _response, next) => {
  refuseRepetition(request.rawHeaders);
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
      `The request has 'Expect: ${cut(expect)}'; expected '100-continue' or no such header. Remove it.`,
    );
  }
  next();
};

/** Reads the lines as Node lists them: name, value, name, value. */
function refuseRepetition(lines: readonly string[]): void {
  for (const name of SINGLE_FIELDS) {
    const lowerCase = name.toLowerCase();
    const isName = (line: string, index: number) =>
      index % 2 === 0 && line.length === name.length && line.toLowerCase() === lowerCase;
    const count = lines.filter(isName).length;
    if (count <= 1) continue;
    throw new ProblemError(
      'malformed-http',
      `The request has ${count} header fields ${name}; expected at most 1. Remove the others (RFC 9110, section 5.3).`,
    );
  }
}
