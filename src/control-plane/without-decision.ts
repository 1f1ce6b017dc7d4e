import type { ErrorRequestHandler } from 'express';
import { ProblemError } from '../errors/problem-error.js';
import { problemFrom } from '../http/pipeline/problem-from-error.js';

/** Takes decisions out of refusals: the specification leaves nothing of the control plane open. */
export const withoutDecision: ErrorRequestHandler = (thrown, _request, _response, next) => {
  const error = problemFrom(thrown);
  const { decision, errors, ...ground } = error.ground;
  const undecided = errors?.map(({ decision: _none, ...value }) => value);
  next(
    new ProblemError(error.problem, error.message, {
      ...ground,
      ...(undecided && { errors: undecided }),
    }),
  );
};
