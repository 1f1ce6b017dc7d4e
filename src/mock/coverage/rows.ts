import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { OPERATIONS } from '../../core/billing/operation-table.js';
import { DecisionsBehindResponse } from '../../core/decisions/decisions-behind-response.js';
import {
  DEFAULT_DECISIONS,
  type DecisionId,
  type Decisions,
  LEDGER,
  LEDGER_ROWS,
  type LedgerRow,
} from '../../core/decisions/ledger.js';
import { statusesOf, successStatus } from '../../core/openapi/document-by-decisions.js';
import { followReference } from '../../core/openapi/references.js';
import { createRouteTable, type OpenApiDocument } from '../../core/openapi/route-table.js';
import type { BodyInShort } from '../../core/values/body-in-short.js';
import type { Coverage } from './coverage.js';

/** What the rows need to know about a call with its response. */
export interface Call {
  /** Undefined if it called no operation. */
  readonly operationId: string | undefined;
  /** The query parameters as sent; a list for a repeated one. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The members of the body; undefined if none was read. */
  readonly body: BodyInShort | undefined;
  /** The status that the caller sees; undefined if the response is lost. */
  readonly status: number | undefined;
  /** The kind of the fault that fired. */
  readonly fault: string | undefined;
  /** The decisions in force; `applied` lists those that the response depends on. */
  readonly inForce: Decisions | undefined;
  readonly applied: readonly DecisionId[];
}

export interface Rows {
  /** Those that calls can touch under the decisions, in the order in which to show them. */
  listed(inForce: Decisions): readonly string[];
  /** Those that a call touched. */
  touchedBy(call: Call): string[];
}

/** The group of rows about decisions; other groups are operations. */
const OF_DECISIONS = 'decisions';
/** The group of calls of anything else. */
const OF_OTHERS = 'other calls';

function nameOf(of: string, row: string): string {
  return `${of}: ${row}`;
}

const CALLED = 'called';

/** How often an operation was called, or anything was, refused calls included. */
export function callsIn({ counts }: Coverage, operationId?: string): number {
  if (operationId !== undefined) return counts[nameOf(operationId, CALLED)] ?? 0;
  const calls = Object.entries(counts).filter(([row]) => row.endsWith(nameOf('', CALLED)));
  return calls.reduce((sum, [, count]) => sum + count, 0);
}

/** The row of a decision with a value, as `id=value`. */
export function rowOfDecision(value: string): string {
  return nameOf(OF_DECISIONS, value);
}

/** The row of a kind of fault, or of requests that met one and came again. */
export function faultRow(operationId: string, kind: string, cameAgain = false): string {
  return nameOf(operationId, `fault ${kind}${cameAgain ? ', tried again' : ''}`);
}

export function decisionRow(id: DecisionId, inForce: Decisions): string {
  const { values }: LedgerRow = LEDGER[id];
  const value = String(inForce[id]);
  // A value that is not listed counts as the listed example of its form.
  const listed = Object.hasOwn(values, value) ? value : Object.keys(values).at(-1);
  return rowOfDecision(`${id}=${listed}`);
}

type Operation = OpenAPIV3.OperationObject;
type Schema = OpenAPIV3.SchemaObject;
type Parameter = Omit<OpenAPIV3.ParameterObject, 'schema'> & { readonly schema: Schema };
type Test = (call: Call) => boolean;
type Aspects = readonly (readonly [row: string, isIn: Test])[];

export function createRows(document: OpenApiDocument, faultKinds: readonly string[]): Rows {
  let read: ReadonlyMap<string, OfOperation> | undefined;
  const operations = () => {
    read ??= operationsIn(document);
    return read;
  };
  const decisionRows = new WeakMap<Decisions, ReadonlyMap<DecisionId, string>>();
  const rowsOfDecisions = (inForce: Decisions) => {
    const known =
      decisionRows.get(inForce) ??
      new Map(LEDGER_ROWS.map(([id]) => [id, decisionRow(id, inForce)] as const));
    decisionRows.set(inForce, known);
    return known;
  };
  return {
    listed: (inForce) => [
      ...[...operations()].flatMap(([id, { operation, called, aspects }]) => [
        called,
        ...statusesUnder(inForce, operation).map((status) => nameOf(id, `status ${status}`)),
        ...aspects.map(([row]) => row),
        ...faultKinds.map((kind) => faultRow(id, kind)),
      ]),
      ...rowsOfDecisions(inForce).values(),
    ],
    touchedBy(call) {
      const { operationId, status, fault, inForce, applied } = call;
      const own = operations().get(operationId ?? '');
      const touched = [own?.called ?? nameOf(OF_OTHERS, CALLED)];
      if (own && operationId !== undefined) {
        if (status !== undefined) touched.push(own.statusRow(status));
        for (const [row, isIn] of own.aspects) if (isIn(call)) touched.push(row);
        if (fault !== undefined) touched.push(faultRow(operationId, fault));
      }
      if (inForce === undefined) return touched;
      const names = rowsOfDecisions(inForce);
      for (const id of applied)
        if (own?.matters[id]?.(call) ?? true) touched.push(names.get(id) ?? id);
      return touched;
    },
  };
}

/** Those that calls can touch under the default decisions, or with one of these changed. */
export function possibleRows(
  document: OpenApiDocument,
  faultKinds: readonly string[],
): readonly string[] {
  const { listed } = createRows(document, faultKinds);
  const changed = LEDGER_ROWS.flatMap(([id, { values, default: usual }]) =>
    Object.keys(values).map((value) => ({
      [id]: typeof usual === 'number' ? Number(value) : value,
    })),
  );
  return [...new Set(changed.flatMap((change) => listed({ ...DEFAULT_DECISIONS, ...change })))];
}

function statusesUnder(inForce: Decisions, operation: Operation): readonly number[] {
  return [...new Set(statusesOf(operation, new DecisionsBehindResponse(inForce)))].sort();
}

interface OfOperation {
  readonly operation: Operation;
  readonly called: string;
  readonly statusRow: (status: number) => string;
  readonly aspects: Aspects;
  /** For decisions that are always applied: whether one may have changed the response. */
  readonly matters: Partial<Record<DecisionId, Test>>;
}

function operationsIn(document: OpenApiDocument): ReadonlyMap<string, OfOperation> {
  const { paths } = createRouteTable(document, Object.keys(OPERATIONS));
  // HEAD shares the route of GET.
  const routes = new Set(paths.flatMap((path) => [...path.routes.values()]));
  return new Map(
    [...routes].map(({ operationId, operation }) => [
      operationId,
      ofOperation(operationId, operation, document),
    ]),
  );
}

function ofOperation(id: string, operation: Operation, document: OpenApiDocument): OfOperation {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const names = parameters.flatMap((one) => (one.in === 'query' ? one.name : []));
  const members = membersOf(operation, document);
  const ofParameters = parameters.map(parameterAspects);
  const beyond = ofParameters.flatMap((one) => one.beyond);
  const isOnlyOk = Object.keys(LEDGER['success-status'].values).every(
    (value) => successStatus(operation, { 'success-status': Number(value) as 200 }) === 200,
  );
  const statusRows = new Map<number, string>();
  return {
    operation,
    called: nameOf(id, CALLED),
    statusRow(status) {
      const row = statusRows.get(status) ?? nameOf(id, `status ${status}`);
      statusRows.set(status, row);
      return row;
    },
    aspects: [
      ...ofParameters.flatMap(({ present, at, beyond }) => [...present, ...at, ...beyond]),
      ...Object.entries(members).flatMap(([name, schema]) => listAspects(name, schema)),
    ].map(([row, isIn]) => [nameOf(id, row), isIn]),
    matters: {
      'success-status': () => !isOnlyOk,
      'empty-parameter': ({ query }) => names.some((name) => query[name] === ''),
      'unknown-query-parameters': ({ query }) =>
        Object.keys(query).some((name) => !names.includes(name)),
      'fractional-limit': (call) => ofParameters.some(({ isFraction }) => isFraction(call)),
      'limit-out-of-bounds': (call) => beyond.some(([, isIn]) => isIn(call)),
      'unknown-body-members': ({ body }) =>
        [...(body?.keys() ?? [])].some((name) => !Object.hasOwn(members, name)),
    },
  };
}

function parameterAspects({ name, in: place, required, schema }: Parameter) {
  const isGiven: Test = ({ query }) => place !== 'query' || query[name] !== undefined;
  const isLeftOut: Test = (call) => !isGiven(call);
  // `Number('')` is 0.
  const number = ({ query }: Call) => (query[name] ? Number(query[name]) : Number.NaN);
  const present: Aspects = [
    [`${name} given`, isGiven],
    ...(required ? [] : [[`${name} left out`, isLeftOut] as const]),
  ];
  const isFraction: Test = (call) => schema.type === 'number' && Math.abs(number(call) % 1) > 0;
  return { present, isFraction, ...edges(name, schema.minimum, schema.maximum, number) };
}

function edges(
  name: string,
  minimum: number | undefined,
  maximum: number | undefined,
  numberOf: (call: Call) => number,
): { readonly at: Aspects; readonly beyond: Aspects } {
  const low = minimum ?? Number.NaN;
  const high = maximum ?? Number.NaN;
  const ifGiven = (bound: number, aspects: Aspects) => (Number.isNaN(bound) ? [] : aspects);
  return {
    at: [
      ...ifGiven(low, [[`${name} at its minimum, ${low}`, (call) => numberOf(call) === low]]),
      ...ifGiven(high, [[`${name} at its maximum, ${high}`, (call) => numberOf(call) === high]]),
    ],
    beyond: [
      ...ifGiven(low, [[`${name} below ${low}`, (call) => numberOf(call) < low]]),
      ...ifGiven(high, [[`${name} above ${high}`, (call) => numberOf(call) > high]]),
    ],
  };
}

function membersOf({ requestBody }: Operation, document: OpenApiDocument) {
  const content = followReference(requestBody as OpenAPIV3.RequestBodyObject, document)?.content;
  const schema = content?.['application/json']?.schema;
  const { properties = {} } = (followReference(schema, document) ?? {}) as Schema;
  return properties as Readonly<Record<string, Schema>>;
}

function listAspects(name: string, { type, minItems, maxItems }: Schema): Aspects {
  if (type !== 'array') return [];
  const length = ({ body }: Call) => body?.get(name)?.length ?? Number.NaN;
  const isRepeated: Test = ({ body }) => body?.get(name)?.hasRepeated ?? false;
  const { at, beyond } = edges(`number of ${name}`, minItems, maxItems, length);
  return [...at, ...beyond, [`${name} repeated`, isRepeated]];
}
