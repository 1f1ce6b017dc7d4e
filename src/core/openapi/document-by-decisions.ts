import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { optionalFieldsOf } from '../billing/fields-by-decision.js';
import type { OperationId } from '../billing/operation.js';
import { refusalsOf } from '../billing/operation-table.js';
import { SCHEMA_OF } from '../billing/resources.js';
import { DecisionsBehindResponse } from '../decisions/decisions-behind-response.js';
import { decisionMembers } from '../decisions/explain-switch.js';
import type { DecisionId, Decisions, DecisionValue } from '../decisions/ledger.js';
import { type ProblemName, statusOf, titleOf } from '../errors/problem-types.js';
import { errorBody, type Problem } from '../errors/write-problem.js';
import { followReference } from './references.js';
import { type OpenApiDocument, operationsOf, successOf } from './route-table.js';

/** The validator's extension for operations that accept undocumented query parameters. */
export const UNKNOWN_ALLOWED = 'x-eov-allow-unknown-query-parameters';

/** This mock's extension for schemas whose bounds replace numbers beyond them. */
export const CLAMPED = 'x-clamped';

type Operation = OpenAPIV3.OperationObject;
type Schema = OpenAPIV3.SchemaObject;

/** Applies the decisions to the document: which requests are valid, and how they are answered. */
export function documentByDecisions(
  document: OpenApiDocument,
  decisions: Decisions,
): OpenApiDocument {
  const effective = structuredClone(document);
  const { unknownQuery, unknownMembers, outOfBounds, emptyValue, nullable } = changesOf(decisions);
  const described = new DecisionsBehindResponse(decisions);
  const components = errorComponents(effective.components?.responses ?? {}, described);
  effective.components = { ...effective.components, responses: components };
  for (const operation of operationsOf(effective)) {
    const success = followReference(successOf(operation).response, effective) as Response;
    for (const one of nullable) {
      allowNull(
        success.content?.['application/json']?.schema,
        one.slice(1, -5).split('/'),
        effective,
      );
    }
    operation.responses = {
      [successStatus(operation, decisions)]: success,
      ...errorResponses(operation, components, described),
    };
    Object.assign(operation, unknownQuery);
    for (const parameter of operation.parameters ?? []) {
      if ('schema' in parameter) Object.assign(parameter.schema ?? {}, outOfBounds);
      if ('in' in parameter && parameter.in === 'query') Object.assign(parameter, emptyValue);
    }
    const body = followReference(operation.requestBody, effective)?.content['application/json'];
    // A copy: a response may refer to the same schema.
    if (body && unknownMembers) {
      body.schema = { ...followReference(body.schema, effective), ...unknownMembers };
    }
  }
  return effective;
}

/** The document with undocumented members and `null` allowed in records. */
export function allowingUndocumented(document: OpenApiDocument): OpenApiDocument {
  const open = structuredClone(document);
  const allow = (schema: Schema = {}): void => {
    const { properties, additionalProperties, items } = schema as OpenAPIV3.ArraySchemaObject;
    for (const given of [...Object.values(properties ?? {}), additionalProperties, items]) {
      const member = typeof given === 'object' && followReference(given, open);
      if (member) allow(Object.assign(member, { nullable: true }));
    }
    if (properties) schema.additionalProperties = true;
  };
  for (const name of Object.values(SCHEMA_OF)) {
    allow(followReference(open.components?.schemas?.[name], open));
  }
  return open;
}

/** Whether `allowingUndocumented` made the document. */
export function allowsUndocumented({ components }: Pick<OpenApiDocument, 'components'>): boolean {
  const contract = components?.schemas?.[SCHEMA_OF.contracts];
  return (followReference(contract, { components }) as Schema)?.additionalProperties === true;
}

/** A key that is the same for decisions whose documents can share a judge. */
export function validatorKey(decisions: Decisions): string {
  return JSON.stringify(changesOf(decisions));
}

/** What the decisions change in the document about requests and successes. */
function changesOf(decisions: Decisions) {
  return {
    status: movedSuccesses(decisions),
    unknownQuery: UNKNOWN_QUERY_PARAMETERS[decisions['unknown-query-parameters']],
    unknownMembers: UNKNOWN_BODY_MEMBERS[decisions['unknown-body-members']],
    outOfBounds: LIMIT_OUT_OF_BOUNDS[decisions['limit-out-of-bounds']],
    emptyValue: EMPTY_PARAMETER[decisions['empty-parameter']],
    nullable: optionalFieldsOf(new DecisionsBehindResponse(decisions)).filter((one) =>
      /=null/.test(one),
    ),
  };
}

/** Lets the member at the end of a path of names be null; `*` stands for the items of a list. */
function allowNull(
  given: Schema | OpenAPIV3.ReferenceObject | undefined,
  [name = '', ...others]: readonly string[],
  document: OpenApiDocument,
): void {
  const schema = followReference(given, document) ?? {};
  const { properties = {} } = schema;
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const below = name === '*' && 'items' in schema ? schema.items : member;
  if (others.length > 0) allowNull(below, others, document);
  else if (below)
    properties[name] = { ...followReference(below, document), nullable: true } as Schema;
}

const SUCCESS_STATUS: Record<
  DecisionValue<'success-status'>,
  { readonly [Id in OperationId]?: number }
> = {
  200: {},
  201: { deleteEventsByRefs: 201 },
  202: { deleteContract: 202, deleteEventsByRefs: 202 },
};

const UNKNOWN_QUERY_PARAMETERS: Record<DecisionValue<'unknown-query-parameters'>, object> = {
  reject: {},
  ignore: { [UNKNOWN_ALLOWED]: true },
};

const UNKNOWN_BODY_MEMBERS: Record<DecisionValue<'unknown-body-members'>, object | undefined> = {
  ignore: undefined,
  reject: { additionalProperties: false },
};

const LIMIT_OUT_OF_BOUNDS: Record<DecisionValue<'limit-out-of-bounds'>, object> = {
  reject: {},
  clamp: { [CLAMPED]: true },
};

const EMPTY_PARAMETER: Record<DecisionValue<'empty-parameter'>, object> = {
  reject: {},
  absent: { allowEmptyValue: true },
};

type SuccessDecision = Pick<Decisions, 'success-status'>;

export function successStatus(operation: Operation, decisions: SuccessDecision): number {
  const moved = movedSuccesses(decisions)[operation.operationId as OperationId];
  return moved ?? successOf(operation).status;
}

function movedSuccesses(decisions: SuccessDecision) {
  return SUCCESS_STATUS[decisions['success-status']];
}

type Response = OpenAPIV3.ResponseObject;
type Responses = OpenAPIV3.ResponsesObject;

/** The problems of every operation, and those of operations with a body. */
const ANYWHERE: readonly ProblemName[] = [
  'invalid-request',
  'unauthorized',
  'too-many-requests',
  'internal-error',
  'too-many-accounts',
];
const WITH_BODY: readonly ProblemName[] = ['content-too-large', 'unsupported-media-type'];

/**
 * The document's response component for each problem; any other problem is described by its title.
 */
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

/**
 * The document's response components. The decisions determine the media types, schemas and examples
 * of its errors.
 */
function errorComponents(components: Responses, decisions: DecisionsBehindResponse): Responses {
  const described = Object.entries(COMPONENTS).map(([problem, name]) => [
    name,
    describe(problem as ProblemName, components[name] as Response, decisions),
  ]);
  // Of several problems that one response describes, the first is the example.
  return { ...components, ...Object.fromEntries(described.reverse()) };
}

function problemsOf({ operationId, requestBody }: Operation, decisions: DecisionsBehindResponse) {
  const own = refusalsOf(operationId as OperationId, decisions);
  return new Set([...ANYWHERE, ...(requestBody ? WITH_BODY : []), ...own]);
}

/** Every status that the document has for an operation under the decisions, its success first. */
export function statusesOf(
  operation: Operation,
  decisions: DecisionsBehindResponse,
): readonly number[] {
  const success = successStatus(operation, decisions.inForce);
  return [success, ...[...problemsOf(operation, decisions)].map((one) => statusOf(one, decisions))];
}

function errorResponses(
  operation: Operation,
  components: Responses,
  decisions: DecisionsBehindResponse,
): Responses {
  const byStatus = new Map<number, Set<ProblemName>>();
  for (const problem of problemsOf(operation, decisions)) {
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
  decisions: DecisionsBehindResponse,
): Response {
  const given = exampleOf(known);
  const example: Problem = {
    type: `urn:usage-billing-mock:problem:${problem}`,
    title: titleOf(problem),
    detail: `${titleOf(problem)}.`,
    ...given,
    status: statusOf(problem, decisions),
    // If the example says how to switch a decision, name a value that is not in force.
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
