import type { AppliedDecisions } from '../decisions/applied-decisions.js';
import { type DecisionId, type Decisions, LEDGER } from '../decisions/ledger.js';
import { howToSwitch } from '../decisions/switch-decisions.js';
import type { components } from '../generated/openapi.js';

/**
 * A problem as it is sent: RFC 9457 with the members that `Problem` in the document adds.
 *
 * @example
 * const problem = (await answer.json()) as Problem;
 * console.log(problem.decision, problem.switch);
 */
export type Problem = components['schemas']['Problem'];

/** One invalid value of a request, and how to fix it. */
export type InvalidValue = components['schemas']['InvalidValue'];

/** How many invalid values a problem lists at most, as `Problem` in the document says. */
export const MOST_ERRORS = 20;

/**
 * A status that is known (a number), the kind of refusal whose status is a decision, or one that
 * each refusal gives.
 */
type Status = number | 'invalid' | 'unknown' | 'unauthorized' | 'given';

interface ProblemKind {
  readonly title: string;
  readonly status: Status;
  /** Header fields that every problem of the kind has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every kind of problem: its title and its status (section 7, and RFC 9110 for the others). */
const PROBLEMS = {
  'unknown-path': { title: 'Unknown path', status: 404 },
  'method-not-allowed': { title: 'Method not allowed', status: 405 },
  unauthorized: {
    title: 'Missing or invalid token',
    status: 'unauthorized',
    headers: { 'WWW-Authenticate': 'Bearer realm="usage-billing-mock"' },
  },
  'unsupported-media-type': { title: 'Unsupported media type', status: 415 },
  'content-too-large': { title: 'Body too large', status: 413 },
  'missing-body': { title: 'Missing body', status: 'invalid' },
  'malformed-json': { title: 'Malformed JSON', status: 'invalid' },
  'invalid-request': { title: 'Invalid request', status: 'invalid' },
  'invalid-cursor': { title: 'Invalid cursor', status: 'invalid' },
  'unknown-identifier': { title: 'Not found', status: 'unknown' },
  'deleted-before': { title: 'Contract already deleted', status: 410 },
  'delete-conflict': { title: 'Contract already deleted', status: 409 },
  'duplicate-name': { title: 'Several customers have this name', status: 409 },
  'malformed-http': { title: 'Malformed HTTP request', status: 400 },
  'headers-too-large': { title: 'Header fields too large', status: 431 },
  'request-timeout': { title: 'Request timeout', status: 408 },
  'unmet-expectation': { title: 'Expectation failed', status: 417 },
  'too-many-requests': { title: 'Rate limit exceeded', status: 429 },
  'preferred-error': { title: 'Error requested by the client', status: 'given' },
  'injected-fault': { title: 'Injected fault', status: 'given' },
  forbidden: { title: 'Forbidden by the control plane', status: 403 },
  conflict: { title: 'Conflict with the current state', status: 409 },
  'too-many-accounts': { title: 'Too many accounts', status: 503 },
  'invalid-answer': { title: 'The answer does not match the document', status: 500 },
  'internal-error': { title: 'Internal error', status: 500 },
} as const satisfies Record<string, ProblemKind>;

/** The name of a kind of problem: the last part of its `type`; stable. */
export type ProblemName = keyof typeof PROBLEMS;

/** Every kind of problem. */
export const PROBLEM_NAMES = Object.keys(PROBLEMS) as readonly ProblemName[];

/** What a refusal adds to its detail. */
export interface ProblemGround {
  /** The decision that it rests on; the section that leaves it open is listed with it. */
  readonly decision?: DecisionId;
  /** Every invalid value. */
  readonly errors?: readonly InvalidValue[];
  /** The status, where the kind leaves it open. */
  readonly status?: number;
  /** Header fields of this one problem, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What went wrong inside; for the log, never for the body. */
  readonly cause?: unknown;
}

/**
 * A refusal, thrown anywhere and written in one place. `detail` says what was received, what was expected, and what to do.
 *
 * @example
 * try {
 *   server.account('token-refused');
 * } catch (error) {
 *   if (error instanceof ProblemError) console.log(error.problem); // unauthorized
 * }
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: ProblemName;
  readonly ground: ProblemGround;

  constructor(problem: ProblemName, detail: string, ground: ProblemGround = {}) {
    super(detail, { cause: ground.cause });
    this.problem = problem;
    this.ground = ground;
  }
}

/** The status of a kind of problem under the decisions in force; `given` where the kind has none. */
export function statusOf(problem: ProblemName, decisions: AppliedDecisions, given = 500): number {
  const { status }: ProblemKind = PROBLEMS[problem];
  switch (status) {
    case 'invalid':
      return decisions.apply('invalid-request-status');
    case 'unknown':
      return decisions.apply('unknown-identifier-status');
    case 'unauthorized':
      return decisions.apply('unauthorized-status');
    case 'given':
      return given;
    default:
      return status;
  }
}

/** The kind of problem in words. */
export function titleOf(problem: ProblemName): string {
  return PROBLEMS[problem].title;
}

/** The header fields that go with the problem. */
export function headersOf({ problem, ground }: ProblemError): Readonly<Record<string, string>> {
  const { headers }: ProblemKind = PROBLEMS[problem];
  return { ...headers, ...ground.headers };
}

/** The problem as it is sent under the decisions in force. */
export function describeProblem(error: ProblemError, decisions: AppliedDecisions): Problem {
  const { decision, errors } = error.ground;
  return {
    type: `urn:usage-billing-mock:problem:${error.problem}`,
    title: PROBLEMS[error.problem].title,
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
