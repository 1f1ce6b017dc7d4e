import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { optionalFieldsOf } from '../billing/fields-by-decision.js';
import type { OperationId } from '../billing/operation.js';
import { refusalsOf } from '../billing/operation-table.js';
import { SCHEMA_OF } from '../billing/resources.js';
import { DecisionsBehindResponse } from '../decisions/decisions-behind-response.js';
import type { Decisions, DecisionValue } from '../decisions/ledger.js';
import { kindOf, type ProblemName, problemsAnywhere, statusOf } from '../errors/problem-types.js';
import { errorComponents, errorResponse } from './error-responses.js';
import { followReference } from './references.js';
import { changeRequests, requestChanges } from './requests-by-decision.js';
import { type OpenApiDocument, operationsOf, successOf } from './route-table.js';

type Operation = OpenAPIV3.OperationObject;
type Schema = OpenAPIV3.SchemaObject;

/** Applies the decisions to the document: which requests are valid, and how they are answered. */
export function documentByDecisions(
  document: OpenApiDocument,
  decisions: Decisions,
): OpenApiDocument {
  const effective = structuredClone(document);
  const { nullable } = changesOf(decisions);
  const described = new DecisionsBehindResponse(decisions);
  const components = { ...effective.components?.responses, ...errorComponents(described) };
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
    changeRequests(operation, decisions, effective);
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
    requests: requestChanges(decisions),
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

function problemsOf({ operationId, requestBody }: Operation, decisions: DecisionsBehindResponse) {
  const own = refusalsOf(operationId as OperationId, decisions);
  return new Set([...problemsAnywhere(requestBody !== undefined), ...own]);
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
    const [name, ...others] = new Set([...some].map((problem) => kindOf(problem).component));
    const isNamed = name !== undefined && others.length === 0;
    return [status, isNamed ? { $ref: `#/components/responses/${name}` } : join(some)];
  });

  function join(some: ReadonlySet<ProblemName>): Response {
    const [one, ...others] = [...some].map(
      (problem) =>
        (components[kindOf(problem).component ?? ''] as Response | undefined) ??
        errorResponse(problem, decisions),
    );
    const descriptions = new Set([one, ...others].map((response) => response?.description));
    return { ...(one as Response), description: [...descriptions].join('\nOr: ') };
  }

  return Object.fromEntries(responses);
}
