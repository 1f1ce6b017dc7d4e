import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { DecisionsBehindResponse } from '../decisions/decisions-behind-response.js';
import { decisionMembers } from '../decisions/explain-switch.js';
import { kindOf, PROBLEM_NAMES, type ProblemName, statusOf } from '../errors/problem-types.js';
import { errorBody, type Problem } from '../errors/write-problem.js';

/** The document's responses to errors, by name, as the decisions in force have them. */
export function errorComponents(
  decisions: DecisionsBehindResponse,
): Readonly<Record<string, OpenAPIV3.ResponseObject>> {
  const described = PROBLEM_NAMES.flatMap((problem) => {
    const { component, response } = kindOf(problem);
    return component && response ? [[component, errorResponse(problem, decisions)]] : [];
  });
  return Object.fromEntries(described);
}

/** The response to a kind of problem; its title describes one that the document does not have. */
export function errorResponse(
  problem: ProblemName,
  decisions: DecisionsBehindResponse,
): OpenAPIV3.ResponseObject {
  const { title, status, response } = kindOf(problem);
  const decided = typeof status === 'number' || status === 'given' ? [] : [status];
  const example: Problem = {
    type: `urn:usage-billing-mock:problem:${problem}`,
    title,
    status: statusOf(problem, decisions),
    detail: `${title}.`,
    ...(decided[0] && decisionMembers(decided[0], decisions.inForce)),
    ...response?.example,
  };
  const { mediaType, schema, write } = errorBody(decisions);
  return {
    description: response?.description ?? `${title}.`,
    ...{ 'x-decision': [...decided, ...(response?.decisions ?? []), 'error-body'] },
    ...(response?.headers && { headers: response.headers }),
    ...(mediaType && {
      content: { [mediaType]: { schema, example: JSON.parse(write(example)) } },
    }),
  };
}
