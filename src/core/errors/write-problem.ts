import type { components } from '../../generated/openapi.js';
import type { DecisionsBehindResponse } from '../decisions/decisions-behind-response.js';
import { decisionMembers } from '../decisions/explain-switch.js';
import type { DecisionValue } from '../decisions/ledger.js';
import { pointerTo } from '../values/json-value.js';
import { adviceOnRule, type Mistake, mayBeShown } from '../values/mistake.js';
import { cut, shown } from '../values/received-value.js';
import { REDACTED } from '../values/secret-name.js';
import { ProblemError, type ProblemGround } from './problem-error.js';
import { headersOfType, statusOf, titleOf } from './problem-types.js';

/**
 * A problem (RFC 9457) with the members that `Problem` in the document adds.
 *
 * @example
 * const problem = (await response.json()) as Problem;
 * console.log(problem.decision, problem.switch);
 */
export type Problem = components['schemas']['Problem'];

export function headersOf({ problem, ground }: ProblemError): Readonly<Record<string, string>> {
  return { ...headersOfType(problem), ...ground.headers };
}

/** The problem, with the status that the decisions in force give it. */
export function describeProblem(error: ProblemError, decisions: DecisionsBehindResponse): Problem {
  const { decision, mistakes } = error.ground;
  return {
    type: `urn:usage-billing-mock:problem:${error.problem}`,
    title: titleOf(error.problem),
    status: statusOf(error.problem, decisions, error.ground.status),
    detail: error.message,
    ...(decision && decisionMembers(decision, decisions.inForce)),
    ...(mistakes && { errors: invalidValuesOf(error.ground) }),
  };
}

/** Longer pointers are cut: nobody chooses such names on purpose. */
const MAX_POINTER_LENGTH = 1_000;

function invalidValuesOf({ mistakes = [] }: ProblemGround): InvalidValue[] {
  return mistakes.map(invalidValueOf);
}

type InvalidValue = components['schemas']['InvalidValue'];

function invalidValueOf(mistake: Mistake): InvalidValue {
  const { in: place = 'body', path, expected, fix = adviceOnRule(expected), decision } = mistake;
  const received = mayBeShown(mistake) ? (mistake.written ?? mistake.received) : REDACTED;
  return {
    in: place,
    pointer: cut(pointerTo(...path), MAX_POINTER_LENGTH),
    expected,
    ...(received !== undefined && { received: shortened(received) }),
    detail: fix,
    ...(decision && { decision }),
  };
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  const text = shown(value);
  return text.endsWith('…') ? text : value;
}

/** The error, keeping nothing of what was received but what it shows. */
export function withoutLargeValues(error: ProblemError): ProblemError {
  const { mistakes } = error.ground;
  if (!mistakes) return error;
  const short = mistakes.map(({ path, written, received, ...mistake }) => ({
    ...mistake,
    path: path.map((name) => cut(name, MAX_POINTER_LENGTH)),
    received: shortened(written ?? received),
  }));
  return new ProblemError(error.problem, error.message, { ...error.ground, mistakes: short });
}

/** How an error's body is written, and how the document describes it. */
export interface ErrorBody {
  /** Absent if an error has no body. */
  readonly mediaType?: string;
  readonly schema: object;
  readonly write: (problem: Problem) => string;
}

/** How an error is written under the decisions in force (section 7). */
export function errorBody(decisions: DecisionsBehindResponse): ErrorBody {
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
