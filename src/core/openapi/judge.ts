import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { hasMoreElements } from '../values/excerpt.js';
import type { OpenApiDocument } from './route-table.js';

/** A rule of the document that a request breaks; `path` points to the value: `/body/refs/0`. */
export interface BrokenRule {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string | undefined;
}

/** The operation of the document that a request calls. */
export interface CalledOperation {
  /** Such as `/contracts/{contractId}`. */
  readonly template: string;
  /** In upper case; GET if the request is a HEAD, which no document describes. */
  readonly method: string;
}

/** The values of a request, decoded. */
export interface Input {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface Judgement {
  readonly brokenRules: readonly BrokenRule[];
  /**
   * The request's values: parameters converted to their types, with the defaults of the document.
   */
  readonly input: Input;
  /** True if it stopped at the first broken rule, so there may be others. */
  readonly hasStopped?: boolean;
}

/** Validates requests and responses against a document. */
export interface Judge {
  /** Finds every rule that a request breaks; with `isFirstEnough`, it may stop at the first. */
  request(called: CalledOperation, sent: Input, isFirstEnough: boolean): Judgement;
  /** Throws a `WrongResponseError` if the body does not match the document's success response. */
  response(called: CalledOperation, body: object): void;
}

export type CreateJudge = (document: OpenApiDocument) => Judge;

/** Drops the rules of a `oneOf`'s alternatives: matching none of them is one mistake. */
export function withoutAlternatives(rules: readonly BrokenRule[]): readonly BrokenRule[] {
  const isChoice = ({ errorCode = '' }: BrokenRule) => errorCode.startsWith('oneOf.');
  const choices = new Set(rules.filter(isChoice).map(({ path }) => path));
  return rules.filter((rule) => isChoice(rule) || !choices.has(rule.path));
}

export class WrongResponseError extends Error {
  override readonly name = 'WrongResponseError';
}

/**
 * Judges a request; one with a long body only up to the first mistake, because reporting millions
 * of mistakes would block the server.
 */
export function judgeRequest(judge: Judge, called: CalledOperation, sent: Input): Judgement {
  const isLong = hasMoreElements(sent.body, MAX_ELEMENTS);
  const judgement = judge.request(called, sent, isLong);
  return { ...judgement, hasStopped: isLong && judgement.brokenRules.length > 0 };
}

/**
 * Skips the validation of schemas. `npm run check` validates the package's documents, and compiling
 * the meta-schema takes longer than compiling any of their schemas.
 */
export const CHECKED_SCHEMAS = { meta: false, validateSchema: false } as const;

/** Of a value with more elements, only the first mistake is reported. */
export const MAX_ELEMENTS = 10_000;

/** The rules that a value breaks; none if it matches the schema. */
export type SchemaCheck = (schema: object, value: unknown) => readonly ErrorObject[];

/** Creates a check against schemas that refer to a document's components. */
export type CreateSchemaCheck = (components: object) => SchemaCheck;

/** Creates a check that compiles each schema when it is first needed. */
export function createSchemaCheck(components: object, maxElements?: number): SchemaCheck {
  const create = (allErrors: boolean) => {
    const ajv = new Ajv({ ...CHECKED_SCHEMAS, strict: false, allErrors });
    addFormats.default(ajv);
    return ajv;
  };
  let all: Ajv | undefined;
  const compiled = new Map<object, BoundedCheck>();
  return (schema, value) => {
    const compile = (ajv: Ajv) => ajv.compile({ ...schema, components });
    const ajvOf = (allErrors: boolean) => {
      if (!allErrors) return create(false);
      all ??= create(true);
      return all;
    };
    const check =
      compiled.get(schema) ?? boundedCheck((allErrors) => compile(ajvOf(allErrors)), maxElements);
    compiled.set(schema, check);
    return check(value);
  };
}

type BoundedCheck = (value: unknown) => readonly ErrorObject[];

/**
 * Creates a check that finds every rule that a value breaks, but only the first if the value is
 * long: Ajv creates an error for each mistake, and millions of them would take all memory.
 */
export function boundedCheck(
  compile: (allErrors: boolean) => ValidateFunction,
  maxElements = MAX_ELEMENTS,
): BoundedCheck {
  const compiled = new Map<boolean, ValidateFunction>();
  return (value) => {
    const allErrors = !hasMoreElements(value, maxElements);
    const validate = compiled.get(allErrors) ?? compile(allErrors);
    compiled.set(allErrors, validate);
    return errorsIn(validate, value);
  };
}

export function errorsIn(validate: ValidateFunction, value: unknown): readonly ErrorObject[] {
  validate(value);
  const errors = validate.errors ?? [];
  // The errors would keep parts of the value in memory until the next value is validated.
  validate.errors = null;
  for (const referred of Object.values(validate.schemaEnv?.root?.refs ?? {})) {
    const { validate: part } = Object(referred) as { validate?: ValidateFunction };
    if (part) part.errors = null;
  }
  return errors;
}
