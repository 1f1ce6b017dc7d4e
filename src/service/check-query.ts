import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { InvalidValue } from '../errors/problem-error.js';
import { CLAMPED, UNKNOWN_ALLOWED } from '../openapi/effective-document.js';
import { pointerTo } from '../values/json-value.js';
import { didYouMean } from '../values/nearest-name.js';

type Query = Readonly<Record<string, unknown>>;
type Parameter = Omit<OpenAPIV3.ParameterObject, 'schema'> & {
  readonly schema: OpenAPIV3.SchemaObject;
};
type Rule = (value: unknown, parameter: Parameter) => Advice | undefined;
type Advice = Pick<InvalidValue, 'expected' | 'detail' | 'decision'>;

/** A decimal number, leading zeros allowed; not `Infinity`, `0x10` or padding. */
const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** What the validator misses: it accepts `Infinity` as a number and stops at the first mistake. */
const RULES: readonly Rule[] = [
  (value) =>
    Array.isArray(value)
      ? { expected: 'one value', detail: 'Send the parameter once.' }
      : undefined,
  (value) =>
    value === ''
      ? {
          expected: 'a value',
          detail: 'Give the parameter a value, or leave it out.',
          decision: 'empty-parameter',
        }
      : undefined,
  (value, { schema }) =>
    schema.type === 'number' && !(DECIMAL.test(String(value)) && Number.isFinite(Number(value)))
      ? { expected: 'a finite decimal number', detail: 'Send a number such as 10.' }
      : undefined,
];

/** Every invalid value of the query that the validator would miss. */
export function checkQuery(operation: OpenAPIV3.OperationObject, query: Query): InvalidValue[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const parameter = parametersOf(operation).find((one) => one.name === name);
    const advice = parameter ? adviceOn(value, parameter) : unknownParameter(name, operation);
    return advice
      ? [{ in: 'query' as const, pointer: pointerTo(name), received: value, ...advice }]
      : [];
  });
}

/** The operation's query parameters. */
function parametersOf({ parameters }: OpenAPIV3.OperationObject): readonly Parameter[] {
  return ((parameters ?? []) as Parameter[]).filter((one) => one.in === 'query');
}

function adviceOn(value: unknown, parameter: Parameter): Advice | undefined {
  if (countsAsAbsent(value, parameter)) return undefined;
  for (const rule of RULES) {
    const advice = rule(value, parameter);
    if (advice) return advice;
  }
  return undefined;
}

function countsAsAbsent(value: unknown, { allowEmptyValue }: Parameter): boolean {
  return value === '' && allowEmptyValue === true;
}

function unknownParameter(name: string, operation: OpenAPIV3.OperationObject): Advice | undefined {
  if (UNKNOWN_ALLOWED in operation && operation[UNKNOWN_ALLOWED]) return undefined;
  const names = parametersOf(operation).map((parameter) => parameter.name);
  return {
    expected: names.join(' or ') || 'no query parameter',
    detail: didYouMean(name, names) ?? 'Remove the parameter, or correct its name.',
    decision: 'unknown-query-parameters',
  };
}

/**
 * The documented parameters of the query, and no others: the validator reads `limit[]` as `limit`.
 * An empty one that may be empty counts as absent; a value beyond a clamped bound becomes the bound.
 */
export function knownQuery(operation: OpenAPIV3.OperationObject, query: Query): Query {
  const known: Record<string, unknown> = {};
  for (const parameter of parametersOf(operation)) {
    const value = query[parameter.name];
    if (value === undefined || countsAsAbsent(value, parameter)) continue;
    known[parameter.name] = clamp(value, parameter.schema);
  }
  return known;
}

function clamp(value: unknown, schema: OpenAPIV3.SchemaObject): unknown {
  if (!(CLAMPED in schema) || !DECIMAL.test(String(value))) return value;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  return String(Math.min(Math.max(Number(value), minimum), maximum));
}
