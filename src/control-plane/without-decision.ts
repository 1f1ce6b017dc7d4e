import type { ErrorRequestHandler } from 'express';
import { ProblemError } from '../errors/problems.js';
import { problemOf } from '../http/pipeline/problem-of.js';

/** Takes decisions out of refusals: the specification leaves nothing of the control plane open. */
export const withoutDecision: ErrorRequestHandler = (thrown, _request, _response, next) => {
  const error = problemOf(thrown);
  const { decision, errors, ...ground } = error.ground;
  const undecided = errors?.map(({ decision: _none, ...value }) => value);
  next(
    new ProblemError(error.problem, error.message, {
      ...ground,
      ...(undecided && { errors: undecided }),
    }),
  );
};
