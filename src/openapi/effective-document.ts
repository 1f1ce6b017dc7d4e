import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { OperationId } from '../billing/operation.js';
import { AppliedDecisions } from '../decisions/applied-decisions.js';
import type { Decisions, DecisionValue } from '../decisions/ledger.js';
import { errorComponents, errorResponses } from './error-responses.js';
import type { OpenApiDocument } from './route-table.js';

/** The validator's extension of an operation: undocumented query parameters pass. */
export const UNKNOWN_ALLOWED = 'x-eov-allow-unknown-query-parameters';

/** Our extension of a schema: a number beyond a bound is replaced by the bound. */
export const CLAMPED = 'x-clamped';

type Operation = OpenAPIV3.OperationObject;

/** The document under the decisions: what a valid request is, and how it is answered. */
export function effectiveDocument(
  document: OpenApiDocument,
  decisions: Decisions,
): OpenApiDocument {
  const effective = structuredClone(document);
  const { status, unknownQuery, unknownMembers, outOfBounds, emptyValue } = changesOf(decisions);
  const described = new AppliedDecisions(decisions);
  const components = errorComponents(effective.components?.responses ?? {}, described);
  effective.components = { ...effective.components, responses: components };
  for (const operation of operationsOf(effective)) {
    describeErrors(operation, components, described);
    moveSuccess(operation, status[operation.operationId as OperationId] ?? 200);
    Object.assign(operation, unknownQuery);
    for (const parameter of operation.parameters ?? []) {
      if ('schema' in parameter) Object.assign(parameter.schema ?? {}, outOfBounds);
      if ('in' in parameter && parameter.in === 'query') Object.assign(parameter, emptyValue);
    }
  }
  Object.assign(effective.components?.schemas?.EventRefs ?? {}, unknownMembers);
  return effective;
}

/** Names what a validator checks: decisions with the same key need the same one. */
export function validatorKey(decisions: Decisions): string {
  return JSON.stringify(changesOf(decisions));
}

/** What the decisions change in the document about requests and successes. */
function changesOf(decisions: Decisions) {
  return {
    status: SUCCESS_STATUS[decisions['success-status']],
    unknownQuery: UNKNOWN_QUERY_PARAMETERS[decisions['unknown-query-parameters']],
    unknownMembers: UNKNOWN_BODY_MEMBERS[decisions['unknown-body-members']],
    outOfBounds: LIMIT_OUT_OF_BOUNDS[decisions['limit-out-of-bounds']],
    emptyValue: EMPTY_PARAMETER[decisions['empty-parameter']],
  };
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

const UNKNOWN_BODY_MEMBERS: Record<DecisionValue<'unknown-body-members'>, object> = {
  ignore: {},
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

function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.values(paths).flatMap((item) =>
    [item?.get, item?.post, item?.delete].filter((operation) => operation !== undefined),
  );
}

function describeErrors(
  operation: Operation,
  components: OpenAPIV3.ResponsesObject,
  decisions: AppliedDecisions,
): void {
  const { 200: success } = operation.responses ?? {};
  operation.responses = {
    ...(success && { 200: success }),
    ...errorResponses(operation, components, decisions),
  };
}

function moveSuccess({ responses = {} }: Operation, status: number): void {
  const { 200: success } = responses;
  if (status === 200 || !success) return;
  delete responses[200];
  responses[status] = success;
}
