import type { Request, Response } from 'express';
import { ProblemError } from '../../errors/problem-error.js';
import type { MatchedPath } from '../../openapi/route-table.js';
import { isOfControl, mayBeRight } from './explain-unknown-path.js';
import { pathOf } from './match-path.js';

/** Answers OPTIONS with the allowed methods in `Allow` (RFC 9110, section 9.3.7). */
export function answerOptions(response: Response, methods: readonly string[]): void {
  response.status(204).set('Allow', methods.join(', ')).end();
}

/** The refusal (405) of a method that the path does not have; lists its operations. */
export function explainUnknownMethod(
  request: Request,
  { template, routes, methods, stubs = [] }: MatchedPath,
): ProblemError {
  const { baseUrl, method } = request;
  const operations = [...routes]
    .filter(([known]) => known !== 'HEAD')
    .map(([known, { operationId }]) => `${known} (${operationId})`);
  const outlook = isOfControl(request)
    ? 'The control plane has no other operation there.'
    : mayBeRight(method, pathOf(request));
  const inShort = `${baseUrl}${template} was called with ${method}; expected ${[...operations, ...stubs].join(' or ')}.`;
  return new ProblemError('method-not-allowed', `${inShort} ${outlook}`, {
    headers: { Allow: methods.join(', ') },
    inShort,
  });
}
