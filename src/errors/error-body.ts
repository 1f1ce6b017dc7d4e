import type { AppliedDecisions } from '../decisions/applied-decisions.js';
import type { DecisionValue } from '../decisions/ledger.js';
import type { Problem } from './describe-problem.js';

/** An error as bytes, and how the document describes them. */
export interface ErrorBody {
  /** Absent if an error has no body. */
  readonly mediaType?: string;
  readonly schema: object;
  readonly write: (problem: Problem) => string;
}

/** How an error is written under the decisions in force (section 7). */
export function errorBody(decisions: AppliedDecisions): ErrorBody {
  return ERROR_BODY[decisions.apply('error-body')];
}

const TEXT = { type: 'string' };

const ERROR_BODY: Record<DecisionValue<'error-body'>, ErrorBody> = {
  'problem-json': {
    mediaType: 'application/problem+json',
    schema: { $ref: '#/components/schemas/Problem' },
    write: (problem) => JSON.stringify(problem),
  },
  message: {
    mediaType: 'application/json',
    schema: objectOf({ message: TEXT }),
    write: ({ detail }) => JSON.stringify({ message: detail }),
  },
  'error-object': {
    mediaType: 'application/json',
    schema: objectOf({ error: objectOf({ code: TEXT, message: TEXT }) }),
    write: ({ type, detail }) =>
      JSON.stringify({ error: { code: type.split(':').at(-1), message: detail } }),
  },
  empty: { schema: {}, write: () => '' },
};

function objectOf(properties: object): object {
  return { type: 'object', required: Object.keys(properties), properties };
}
