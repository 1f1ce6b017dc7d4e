import type { AppliedDecisions } from '../decisions/applied-decisions.js';
import { type DecisionId, type Decisions, LEDGER } from '../decisions/ledger.js';
import { howToSwitch } from '../decisions/switch-decisions.js';
import type { components } from '../generated/openapi.js';
import type { ProblemError } from './problem-error.js';
import { headersOfType, statusOf, titleOf } from './problem-types.js';

/**
 * A problem as it is sent: RFC 9457 with the members that `Problem` in the document adds.
 *
 * @example
 * const problem = (await answer.json()) as Problem;
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
