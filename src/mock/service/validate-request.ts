import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { MAX_ERRORS } from '../../core/errors/first-mistakes.js';
import { judgeRequest, withoutAlternatives } from '../../core/openapi/judge.js';
import { valuesOfPath } from '../../core/openapi/path-template.js';
import { CLAMPED, UNKNOWN_ALLOWED } from '../../core/openapi/requests-by-decision.js';
import { pointerTo } from '../../core/values/json-value.js';
import { type Mistake, unknownName } from '../../core/values/mistake.js';
import { percentDecoded } from '../../core/values/received-value.js';
import { mistakeOf, refusalOf } from './describe-invalid-values.js';
import type { DocumentedExchange, Step } from './exchange.js';

/** Validates the request against the document; its refusal lists up to `MAX_ERRORS` mistakes. */
export const validateRequest: Step<DocumentedExchange> = (exchange) => {
  const { called, decisions } = exchange;
  const { route, specification } = called;
  for (const id of route.decisionsInDocument) decisions.apply(id);
  const { template, operation } = route;
  const { path, malformed } = decodePath(valuesOfPath(template, exchange.path), operation);
  const received = { path, query: queryOf(exchange.query), body: exchange.body };
  called.sentQuery = received.query;
  const wrong = [...malformed, ...checkQuery(operation, received.query)];
  if (malformed.length > 0) throw refusalOf(wrong, { count: wrong.length });
  const { method } = exchange;
  const sent = { ...received, query: knownQuery(operation, received.query) };
  const { brokenRules, input, hasStopped } = judgeRequest(
    specification.judge,
    { template, method },
    sent,
  );
  const found = new Set(wrong.map((value) => `/${value.in}${pointerTo(...value.path)}`));
  const others = withoutAlternatives(brokenRules).filter((rule) => !found.has(rule.path));
  if (wrong.length + others.length > 0) {
    const described = others.slice(0, MAX_ERRORS).map((rule) => mistakeOf(rule, received, route));
    throw refusalOf([...wrong, ...described], { count: wrong.length + others.length, hasStopped });
  }
  called.input = input;
};

/** The query's values by name; repeated parameters have a list. */
export function queryOf(text: string): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = Object.create(null);
  if (text === '') return values;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values[name];
    values[name] = before === undefined ? value : [before, value].flat();
  }
  return values;
}

function decodePath(
  encoded: Readonly<Record<string, string>>,
  operation: OpenAPIV3.OperationObject,
) {
  const path: Record<string, string> = {};
  const malformed: Mistake[] = [];
  for (const [name, received] of Object.entries(encoded)) {
    const value = percentDecoded(received);
    const advice = adviceOnPath(value, parameterOf(operation, 'path', name));
    if (value !== undefined) path[name] = value;
    if (advice)
      malformed.push({ in: 'path', path: [name], received: value ?? received, ...advice });
  }
  return { path, malformed };
}

function adviceOnPath(
  value: string | undefined,
  parameter: Parameter | undefined,
): Advice | undefined {
  if (value === undefined) {
    const fix = 'Encode the value as encodeURIComponent does: a percent sign itself is %25.';
    return { expected: 'percent-encoded UTF-8', fix };
  }
  if (parameter?.schema.type !== 'integer' || DIGITS.test(value)) return undefined;
  return { expected: 'a whole number in digits', fix: 'Send a number such as 1.' };
}

type Query = Readonly<Record<string, unknown>>;
type Parameter = Omit<OpenAPIV3.ParameterObject, 'schema'> & {
  readonly schema: OpenAPIV3.SchemaObject;
};
type Advice = Pick<Mistake, 'expected' | 'fix' | 'decision'>;

/** A decimal number, leading zeros allowed; not `Infinity`, `0x10` or padding. */
const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** How a path writes a number: each resource has one path. */
const DIGITS = /^(0|[1-9]\d*)$/;

/** Invalid values of the query that the validator may accept, such as `Infinity` as a number. */
function checkQuery(operation: OpenAPIV3.OperationObject, query: Query): Mistake[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const parameter = parameterOf(operation, 'query', name);
    const advice = parameter
      ? adviceOn(value, parameter)
      : unknownParameter(name, value, operation);
    return advice ? [{ in: 'query' as const, path: [name], received: value, ...advice }] : [];
  });
}

function parametersOf(
  { parameters }: OpenAPIV3.OperationObject,
  place: 'path' | 'query',
): readonly Parameter[] {
  return ((parameters ?? []) as Parameter[]).filter((one) => one.in === place);
}

function parameterOf(operation: OpenAPIV3.OperationObject, place: 'path' | 'query', name: string) {
  return parametersOf(operation, place).find((one) => one.name === name);
}

function adviceOn(value: unknown, parameter: Parameter): Advice | undefined {
  if (countsAsAbsent(value, parameter)) return undefined;
  if (Array.isArray(value) && parameter.schema.type !== 'array')
    return { expected: 'one value', fix: 'Send the parameter once.' };
  if (value === '') {
    const fix = 'Give the parameter a value, or leave it out.';
    return { expected: 'a value', fix, decision: 'empty-parameter' };
  }
  if (!isNumeric(parameter.schema) || isFiniteDecimal(value)) return undefined;
  return { expected: 'a finite decimal number', fix: 'Send a number such as 10.' };
}

function isNumeric({ type }: OpenAPIV3.SchemaObject): boolean {
  return type === 'number' || type === 'integer';
}

function isFiniteDecimal(value: unknown): boolean {
  return DECIMAL.test(String(value)) && Number.isFinite(Number(value));
}

function countsAsAbsent(value: unknown, { allowEmptyValue }: Parameter): boolean {
  return value === '' && allowEmptyValue === true;
}

function unknownParameter(
  name: string,
  value: unknown,
  operation: OpenAPIV3.OperationObject,
): Advice | undefined {
  if (UNKNOWN_ALLOWED in operation && operation[UNKNOWN_ALLOWED]) return undefined;
  const names = parametersOf(operation, 'query').map((parameter) => parameter.name);
  const unknown = unknownName([name], value, names, 'parameter');
  return { ...unknown, decision: 'unknown-query-parameters' };
}

/** The documented parameters only, since the validator reads `limit[]` as `limit`. */
function knownQuery(operation: OpenAPIV3.OperationObject, query: Query): Query {
  const known: Record<string, unknown> = {};
  for (const parameter of parametersOf(operation, 'query')) {
    const value = query[parameter.name];
    if (value === undefined || countsAsAbsent(value, parameter)) continue;
    const { schema } = parameter;
    known[parameter.name] = schema.type === 'array' ? [value].flat() : clamp(value, schema);
  }
  return known;
}

function clamp(value: unknown, schema: OpenAPIV3.SchemaObject): unknown {
  if (!(CLAMPED in schema) || !DECIMAL.test(String(value))) return value;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  return String(Math.min(Math.max(Number(value), minimum), maximum));
}
