import type { AppliedDecisions } from '../decisions/applied-decisions.js';
import { howToSwitch } from '../decisions/decision-changes.js';
import {
  type DecisionId,
  type Decisions,
  type DecisionValue,
  LEDGER,
} from '../decisions/ledger.js';
import type { components } from '../generated/openapi.js';
import type { ProblemError } from './problem-error.js';
import { headersOfType, statusOf, titleOf } from './problem-types.js';

/**
 * A problem as it is sent: RFC 9457 with the members that `Problem` in the document adds.
 *
 * @example
 * const problem = (await response.json()) as Problem;
 * console.log(problem.decision, problem.switch);
 */
export type Problem = components['schemas']['Problem'];

/** The header fields of the problem. */
export function headersOf({ problem, ground }: ProblemError): Readonly<Record<string, string>> {
  return { ...headersOfType(problem), ...ground.headers };
}

/** The problem as it is sent under the decisions in force. */
export function describeProblem(error: ProblemError, decisions: AppliedDecisions): Problem {
  const { decision, errors } = error.ground;
  return {
    type: `urn:usage-billing-mock:problem:${error.problem}`,
    title: titleOf(error.problem),
    status: statusOf(error.problem, decisions, error.ground.status),
    detail: error.message,
    ...(decision && decisionMembers(decision, decisions.inForce)),
    ...(errors && { errors: [...errors] }),
  };
}

/** What a problem says of the decision that it rests on. */
export function decisionMembers(
  decision: DecisionId,
  inForce: Decisions,
): Pick<Problem, 'decision' | 'section' | 'switch'> {
  const { section } = LEDGER[decision];
  return { decision, section, switch: howToSwitch(decision, inForce) };
}

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
