import type { ErrorRequestHandler } from 'express';
import type { Decisions } from '../billing/decisions.js';
import { describeProblem, headersOf } from '../billing/problems.js';
import { errorBody } from './error-body.js';
import { exchangeOf } from './exchange.js';
import { problemOf } from './problem-of.js';

/** Turns anything thrown into an answer: the only place that writes an error of the service. */
export function sendProblem(serverDecisions: Decisions): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (thrown: unknown, _request, response, _next) => {
    const exchange = exchangeOf(response);
    const error = problemOf(thrown);
    exchange.problem = error;
    const decisions = exchange.account?.decisions ?? serverDecisions;
    const problem = describeProblem(error, decisions);
    const { mediaType, write } = errorBody(decisions);
    if (mediaType) response.setHeader('Content-Type', mediaType);
    const body = write(problem);
    // Not res.json: the validator hooks it, and would throw inside this handler.
    response
      .status(problem.status)
      .set(headersOf(error))
      .set('Content-Length', String(Buffer.byteLength(body)))
      .end(body);
  };
}
