import type { Decisions, DecisionValue } from '../billing/decisions.js';
import type { Problem } from '../billing/problems.js';

/** An error as bytes: its media type, if it has a body, and the body. */
export interface ErrorBody {
  readonly mediaType?: string;
  readonly write: (problem: Problem) => string;
}

/** How an error is written under the decisions in force (section 7). */
export function errorBody(decisions: Decisions): ErrorBody {
  return ERROR_BODY[decisions['error-body']];
}

const ERROR_BODY: Record<DecisionValue<'error-body'>, ErrorBody> = {
  'problem-json': {
    mediaType: 'application/problem+json',
    write: (problem) => JSON.stringify(problem),
  },
  message: {
    mediaType: 'application/json',
    write: ({ detail }) => JSON.stringify({ message: detail }),
  },
  'error-object': {
    mediaType: 'application/json',
    write: ({ type, detail }) =>
      JSON.stringify({ error: { code: type.split(':').at(-1), message: detail } }),
  },
  empty: { write: () => '' },
};
