import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { OperationId } from '../../core/billing/operation.js';
import { OPERATIONS } from '../../core/billing/operation-table.js';
import { DecisionsBehindResponse } from '../../core/decisions/decisions-behind-response.js';
import {
  DEFAULT_DECISIONS,
  type DecisionId,
  type Decisions,
  LEDGER,
  type LedgerRow,
} from '../../core/decisions/ledger.js';
import { statusesOf, successStatus } from '../../core/openapi/document-by-decisions.js';
import { followReference } from '../../core/openapi/references.js';
import { createRouteTable, type OpenApiDocument } from '../../core/openapi/route-table.js';
import { isObject } from '../../core/values/json-value.js';
import type { Call } from './coverage.js';

/** Something about an operation that a call can touch: a row of the coverage. */
export interface Aspect {
  readonly row: string;
  readonly isIn: (call: Call) => boolean;
  /** False under decisions that prevent it. */
  readonly isReachable?: (decisions: Decisions) => boolean;
}

/** What calls of an operation can touch, apart from faults and decisions. */
export interface OperationAspects {
  readonly operationId: string;
  /** Slow: runs the refusals of the operation under each decision. */
  readonly statuses: () => readonly Omit<Aspect, 'isIn'>[];
  readonly aspects: readonly Aspect[];
  /** True if a decision that was applied to a call may have changed its response. */
  readonly restsOn: (id: DecisionId, call: Call) => boolean;
}

type Operation = OpenAPIV3.OperationObject;
type Schema = OpenAPIV3.SchemaObject;
type Parameter = Omit<OpenAPIV3.ParameterObject, 'schema'> & { readonly schema: Schema };
type Test = (call: Call) => boolean;

export function operationsIn(document: OpenApiDocument): readonly OperationAspects[] {
  const { paths } = createRouteTable(document, Object.keys(OPERATIONS));
  // HEAD shares the route of GET.
  const routes = new Set(paths.flatMap((path) => [...path.routes.values()]));
  return [...routes].map(({ operation }) => aspectsOf(operation, document));
}

/** An operation's statuses: by default, and with each decision behind them switched in turn. */
function statusesIn(operation: Operation): Omit<Aspect, 'isIn'>[] {
  const decisions = new DecisionsBehindResponse(DEFAULT_DECISIONS);
  const byDefault = statusesOf(operation, decisions);
  const asked: readonly DecisionId[] = ['success-status', ...decisions.applied];
  const others = asked.flatMap((id) =>
    alternativesOf(id).flatMap((others) => statusesUnder(operation, others)),
  );
  return [...new Set([...byDefault, ...others])].sort().map((status) => ({
    row: statusRow(status),
    isReachable: (inForce) => statusesUnder(operation, inForce).includes(status),
  }));
}

export function statusRow(status: number): string {
  return `status ${status}`;
}

/** The defaults, with each value of a decision in turn. */
function alternativesOf(id: DecisionId): Decisions[] {
  const row: LedgerRow = LEDGER[id];
  return Object.keys(row.values)
    .map((value) => (typeof row.default === 'number' ? Number(value) : value))
    .map((value) => ({ ...DEFAULT_DECISIONS, [id]: value }));
}

function statusesUnder(operation: Operation, decisions: Decisions): readonly number[] {
  return statusesOf(operation, new DecisionsBehindResponse(decisions));
}

function aspectsOf(operation: Operation, document: OpenApiDocument): OperationAspects {
  const { operationId = '', parameters = [] } = operation;
  const successes = new Set(
    alternativesOf('success-status').map((decisions) => successStatus(operation, decisions)),
  );
  const sent = (parameters as Parameter[]).map((parameter) => ({
    presence: presenceOf(parameter),
    ...edgesOf(parameter.name, parameter.schema, numberIn(parameter.name)),
  }));
  const members = membersOf(operation, document);
  const names = (parameters as Parameter[]).flatMap((one) => (one.in === 'query' ? one.name : []));
  const outOfBounds = sent.flatMap(({ beyond }) => beyond);
  const matters: Partial<Record<DecisionId, Test>> = {
    'success-status': () => successes.size > 1,
    'empty-parameter': ({ query }) => names.some((name) => query[name] === ''),
    'unknown-query-parameters': ({ query }) =>
      Object.keys(query).some((name) => !names.includes(name)),
    'limit-out-of-bounds': (call) => outOfBounds.some(({ isIn }) => isIn(call)),
    'unknown-body-members': ({ body }) =>
      [...(body?.keys() ?? [])].some((name) => !Object.hasOwn(members, name)),
  };
  return {
    operationId,
    statuses: () => statusesIn(operation),
    aspects: [
      ...sent.flatMap(({ presence, at, beyond }) => [...presence, ...at, ...beyond]),
      ...Object.entries(members).flatMap(([name, schema]) => listAspects(name, schema)),
      ...(OWN[operationId as OperationId] ?? []),
    ],
    restsOn: (id, call) => matters[id]?.(call) ?? true,
  };
}

function presenceOf({ name, in: place, required }: Omit<Parameter, 'schema'>): Aspect[] {
  const isGiven: Test = ({ query }) => place !== 'query' || query[name] !== undefined;
  return [
    { row: `${name} given`, isIn: isGiven },
    ...(required ? [] : [{ row: `${name} left out`, isIn: (call: Call) => !isGiven(call) }]),
  ];
}

function numberIn(name: string) {
  // `Number('')` is 0.
  return ({ query }: Call) => (query[name] ? Number(query[name]) : Number.NaN);
}

function edgesOf(
  name: string,
  { minimum, maximum }: Pick<Schema, 'minimum' | 'maximum'>,
  numberOf: (call: Call) => number,
) {
  const at: Aspect[] = [];
  const beyond: Aspect[] = [];
  if (minimum !== undefined) {
    at.push({
      row: `${name} at its minimum, ${minimum}`,
      isIn: (call) => numberOf(call) === minimum,
    });
    beyond.push({ row: `${name} below ${minimum}`, isIn: (call) => numberOf(call) < minimum });
  }
  if (maximum !== undefined) {
    at.push({
      row: `${name} at its maximum, ${maximum}`,
      isIn: (call) => numberOf(call) === maximum,
    });
    beyond.push({ row: `${name} above ${maximum}`, isIn: (call) => numberOf(call) > maximum });
  }
  return { at, beyond };
}

function membersOf({ requestBody }: Operation, document: OpenApiDocument) {
  const content = followReference(requestBody as OpenAPIV3.RequestBodyObject, document)?.content;
  const schema = content?.['application/json']?.schema;
  const { properties = {} } = (followReference(schema, document) ?? {}) as Schema;
  return properties as Readonly<Record<string, Schema>>;
}

function listAspects(name: string, schema: Schema): Aspect[] {
  if (schema.type !== 'array') return [];
  const bounds = { minimum: schema.minItems, maximum: schema.maxItems } as Pick<Schema, 'minimum'>;
  const length = ({ body }: Call) => body?.get(name)?.length ?? Number.NaN;
  const { at, beyond } = edgesOf(`number of ${name}`, bounds, length);
  return [
    ...at,
    ...beyond,
    {
      row: `${name} repeated`,
      isIn: ({ body }) => body?.get(name)?.hasRepeated ?? false,
    },
  ];
}

/** Aspects that only one operation has. */
const OWN: { readonly [Id in OperationId]?: readonly Aspect[] } = {
  deleteContract: [{ row: 'a second delete', isIn: asks('repeat-delete') }],
  listMeasurements: [
    {
      row: 'read to its end',
      isIn: ({ result }) => isObject(result) && result.hasMore === false,
    },
    {
      row: 'a cursor used',
      isIn: (call) => Boolean(call.query.cursor && call.result) && !asks('invalid-cursor')(call),
    },
    {
      row: 'a cursor refused',
      isIn: ({ problem }) => problem === 'invalid-cursor',
      isReachable: unlessAll({ 'invalid-cursor': 'first-page', 'cursor-lifetime': 'unlimited' }),
    },
  ],
  deleteEventsByRefs: [
    { row: 'a ref that matches no event', isIn: asks('unmatched-refs') },
    { row: 'a ref of a deleted event', isIn: asks('repeat-event-delete') },
  ],
};

/** True if the call depended on a decision, as only a second delete does on `repeat-delete`. */
function asks(id: DecisionId): Test {
  return ({ applied }) => applied.includes(id);
}

function unlessAll(preventing: Partial<Decisions>): NonNullable<Aspect['isReachable']> {
  const values = Object.entries(preventing) as [DecisionId, unknown][];
  return (decisions) => values.some(([id, value]) => decisions[id] !== value);
}
