import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { OperationId } from '../billing/operation.js';
import { REFUSALS } from '../billing/operations/index.js';
import type { AppliedDecisions } from '../decisions/applied-decisions.js';
import type { DecisionId } from '../decisions/ledger.js';
import { type ProblemName, statusOf, titleOf } from '../errors/problem-types.js';
import { decisionMembers, errorBody, type Problem } from '../errors/write-problem.js';

type Response = OpenAPIV3.ResponseObject;
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

/** The responses that describe errors, with the statuses and the shape of the decisions. */
export function errorComponents(components: Responses, decisions: AppliedDecisions): Responses {
  const described = Object.entries(COMPONENTS).map(([problem, name]) => [
    name,
    describe(problem as ProblemName, components[name] as Response, decisions),
  ]);
  // Of several problems that one response describes, the first is the example.
  return { ...components, ...Object.fromEntries(described.reverse()) };
}

/** The error responses of an operation under the decisions, by status. */
export function errorResponses(
  { operationId, requestBody }: OpenAPIV3.OperationObject,
  components: Responses,
  decisions: AppliedDecisions,
): Responses {
  const own = REFUSALS[operationId as OperationId](decisions);
  const problems = new Set([...ANYWHERE, ...(requestBody ? WITH_BODY : []), ...own]);
  const byStatus = new Map<number, Set<ProblemName>>();
  for (const problem of problems) {
    const status = statusOf(problem, decisions);
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(problem));
  }
  const responses = [...byStatus].map(([status, some]) => {
    const names = new Set([...some].map((problem) => COMPONENTS[problem] ?? problem));
    const [name = '', ...others] = names;
    const isNamed = others.length === 0 && name in components;
    return [status, isNamed ? { $ref: `#/components/responses/${name}` } : join(some)];
  });

  function join(some: ReadonlySet<ProblemName>): Response {
    const [one, ...others] = [...some].map(
      (problem) =>
        (components[COMPONENTS[problem] ?? ''] as Response | undefined) ??
        describe(problem, undefined, decisions),
    );
    const descriptions = new Set([one, ...others].map((response) => response?.description.trim()));
    return { ...(one as Response), description: [...descriptions].join('\nOr: ') };
  }

  return Object.fromEntries(responses);
}

function describe(
  problem: ProblemName,
  known: Response | undefined,
  decisions: AppliedDecisions,
): Response {
  const given = exampleOf(known);
  const example: Problem = {
    type: `urn:usage-billing-mock:problem:${problem}`,
    title: titleOf(problem),
    detail: `${titleOf(problem)}.`,
    ...given,
    status: statusOf(problem, decisions),
    // An example that says how to switch its decision starts from the value in force.
    ...(given.switch && decisionMembers(given.decision as DecisionId, decisions.inForce)),
  };
  const { mediaType, schema, write } = errorBody(decisions);
  const content = mediaType && { [mediaType]: { schema, example: JSON.parse(write(example)) } };
  const { content: _replaced, ...described } = known ?? { description: `${titleOf(problem)}.` };
  return { ...described, ...(content && { content }) };
}

function exampleOf(response: Response | undefined): Partial<Problem> {
  return (response?.content?.['application/problem+json']?.example ?? {}) as Partial<Problem>;
}
