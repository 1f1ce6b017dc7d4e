import { ProblemError } from '../../core/errors/problem-error.js';
import { cut } from '../../core/values/received-value.js';
import { SINGLE_FIELDS, type Step } from './exchange.js';

/** Refuses what Node would refuse without a reason, or would accept against RFC 9110. */
export const checkHeaders: Step = ({ request, fields }) => {
  refuseRepetition(request.headers);
  const { host, expect } = fields;
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
};

function refuseRepetition(headers: readonly string[]): void {
  for (const name of SINGLE_FIELDS) {
    const lowerCase = name.toLowerCase();
    let count = 0;
    for (let index = 0; index < headers.length; index += 2) {
      const received = headers[index] ?? '';
      if (received.length === name.length && received.toLowerCase() === lowerCase) count += 1;
    }
    if (count <= 1) continue;
    throw new ProblemError(
      'malformed-http',
      `The request has ${count} ${name} headers; expected at most 1. Remove the others (RFC 9110, section 5.3).`,
    );
  }
}
