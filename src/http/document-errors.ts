import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { Decisions } from '../billing/decisions.js';
import type { OperationId } from '../billing/operation.js';
import { REFUSALS } from '../billing/operations/index.js';
import { type Problem, type ProblemName, statusOf, titleOf } from '../billing/problems.js';
import { errorBody } from './error-body.js';

type Responses = OpenAPIV3.ResponsesObject;

/** The problems that any operation can meet, and those that one with a body can. */
const ANYWHERE: readonly ProblemName[] = [
  'invalid-request',
  'unauthorized',
  'too-many-requests',
  'internal-error',
  'too-many-accounts',
];
const WITH_BODY: readonly ProblemName[] = ['content-too-large', 'unsupported-media-type'];

/** The response of the document that describes a problem; of others the title says enough. */
const COMPONENTS: Readonly<Partial<Record<ProblemName, string>>> = {
  'invalid-request': 'InvalidRequest',
  'invalid-cursor': 'InvalidRequest',
  unauthorized: 'Unauthorized',
  'unknown-identifier': 'UnknownIdentifier',
  'content-too-large': 'ContentTooLarge',
  'unsupported-media-type': 'UnsupportedMediaType',
  'too-many-requests': 'TooManyRequests',
  'internal-error': 'InternalError',
  'too-many-accounts': 'TooManyAccounts',
};

/** The error responses of an operation, as the decisions have their statuses and their shape. */
export function errorResponses(
  { operationId, requestBody }: OpenAPIV3.OperationObject,
  components: Responses,
  decisions: Decisions,
): Responses {
  const own = REFUSALS[operationId as OperationId](decisions);
  const problems = [...ANYWHERE, ...(requestBody ? WITH_BODY : []), ...own];
  const responses: Responses = {};
  for (const problem of new Set(problems)) {
    const status = statusOf(problem, decisions);
    const response = responseOf(problem, components, decisions);
    const before = responses[status];
    responses[status] = before && 'description' in before ? joined(before, response) : response;
  }
  return responses;
}

function responseOf(
  problem: ProblemName,
  components: Responses,
  decisions: Decisions,
): OpenAPIV3.ResponseObject {
  const known = components[COMPONENTS[problem] ?? ''] as OpenAPIV3.ResponseObject | undefined;
  const example: Problem = {
    type: `urn:usage-billing-mock:problem:${problem}`,
    title: titleOf(problem),
    detail: `${titleOf(problem)}.`,
    ...exampleOf(known),
    status: statusOf(problem, decisions),
  };
  const { mediaType, schema, write } = errorBody(decisions);
  const content = mediaType && { [mediaType]: { schema, example: JSON.parse(write(example)) } };
  const { content: _replaced, ...described } = known ?? { description: `${titleOf(problem)}.` };
  return { ...described, ...(content && { content }) };
}

function exampleOf(response: OpenAPIV3.ResponseObject | undefined): Partial<Problem> {
  return (response?.content?.['application/problem+json']?.example ?? {}) as Partial<Problem>;
}

/** Two problems of one status: what describes the first describes both. */
function joined(
  one: OpenAPIV3.ResponseObject,
  other: OpenAPIV3.ResponseObject,
): OpenAPIV3.ResponseObject {
  if (one.description === other.description) return one;
  return { ...one, description: `${one.description.trimEnd()}\nOr: ${other.description}` };
}
