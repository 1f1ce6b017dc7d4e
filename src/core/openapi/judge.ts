import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { excerptOf, hasMoreElements, placeInWhole } from '../values/excerpt.js';
import { memberOf, namesOfPointer, pointerTo } from '../values/json-value.js';
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
  /** True if only an excerpt of the body was searched for further mistakes. */
  readonly isExcerpt?: boolean;
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
 * Judges a request. In a long body, only an excerpt that begins at the first mistake is searched
 * for others: reporting millions of mistakes would block the server.
 */
export function judgeRequest(judge: Judge, called: CalledOperation, sent: Input): Judgement {
  if (!hasMoreElements(sent.body, MOST_ELEMENTS)) return judge.request(called, sent, false);
  const whole = judge.request(called, sent, true);
  if (whole.brokenRules.length === 0) return whole;
  const brokenRules = [...whole.brokenRules, ...othersOf(judge, called, sent, whole.brokenRules)];
  return { ...whole, brokenRules, isExcerpt: true };
}

/** The rules that an excerpt of a long body breaks, besides those already found. */
function othersOf(
  judge: Judge,
  called: CalledOperation,
  sent: Input,
  found: readonly BrokenRule[],
): readonly BrokenRule[] {
  const way = namesIn(found.at(-1)) ?? [];
  const body = excerptOf(sent.body, { mostElements: MOST_ELEMENTS, names: way });
  const { brokenRules } = judge.request(called, { ...sent, body }, false);
  const isNew = (rule: BrokenRule) =>
    !found.some((one) => one.path === rule.path && one.errorCode === rule.errorCode);
  return brokenRules
    .map((rule) => {
      const names = namesIn(rule);
      if (!names) return rule;
      return { ...rule, path: IN_BODY + pointerTo(...placeInWhole(sent.body, way, names)) };
    })
    .filter((rule) => isNew(rule) && isBrokenInBody(rule, sent.body));
}

const IN_BODY = '/body';

/**
 * The path from the body to the value that breaks the rule; undefined if that is not in the body.
 */
function namesIn(rule: BrokenRule | undefined): string[] | undefined {
  return rule?.path.startsWith(`${IN_BODY}/`)
    ? namesOfPointer(rule.path.slice(IN_BODY.length))
    : undefined;
}

/** Whether the whole body breaks the rule, too, and not just the excerpt. */
function isBrokenInBody(rule: BrokenRule, body: unknown): boolean {
  const [keyword = ''] = (rule.errorCode ?? '').split('.');
  const value = (namesIn(rule) ?? []).reduce(memberOf, body);
  return keyword === 'required' ? value === undefined : isBrokenBySize(keyword, value);
}

/**
 * Skips the validation of schemas. `npm run check` validates the package's documents, and compiling
 * the meta-schema takes longer than compiling any of their schemas.
 */
export const CHECKED_SCHEMAS = { meta: false, validateSchema: false } as const;

/** In a value with more elements, only an excerpt is searched for every mistake. */
export const MOST_ELEMENTS = 10_000;

/** The rules that a value breaks; none if it matches the schema. */
export type SchemaCheck = (schema: object, value: unknown) => readonly ErrorObject[];

/** Creates a check against schemas that refer to a document's components. */
export type CreateSchemaCheck = (components: object) => SchemaCheck;

/** Creates a check that compiles each schema when it is first needed. */
export function createSchemaCheck(components: object, mostElements?: number): SchemaCheck {
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
      compiled.get(schema) ?? boundedCheck((allErrors) => compile(ajvOf(allErrors)), mostElements);
    compiled.set(schema, check);
    return check(value);
  };
}

type BoundedCheck = (value: unknown) => readonly ErrorObject[];

/**
 * Creates a check that finds every rule that a value breaks, unless the value is long: that is
 * validated up to the first mistake, and then only an excerpt that begins there. Ajv creates an
 * error for each mistake, and millions of them would take all memory.
 */
export function boundedCheck(
  compile: (allErrors: boolean) => ValidateFunction,
  mostElements = MOST_ELEMENTS,
): BoundedCheck {
  let all: ValidateFunction | undefined;
  let upToFirst: ValidateFunction | undefined;

  return (value) => {
    if (!hasMoreElements(value, mostElements)) {
      all ??= compile(true);
      return errorsIn(all, value);
    }
    upToFirst ??= compile(false);
    const found = errorsIn(upToFirst, value);
    const last = found.at(-1);
    if (!last) return [];
    all ??= compile(true);
    const way = namesOfPointer(last.instancePath);
    const others = errorsIn(all, excerptOf(value, { mostElements, names: way })).map((error) => {
      const names = placeInWhole(value, way, namesOfPointer(error.instancePath));
      return { ...error, instancePath: pointerTo(...names), data: names.reduce(memberOf, value) };
    });
    return [...found, ...others.filter((error) => isOfWhole(error) && !found.some(isLike(error)))];
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

/** Whether the whole value breaks the rule, too, and not just the excerpt. */
function isOfWhole({ keyword, params, data }: ErrorObject): boolean {
  if (keyword === 'required') return memberOf(data, params.missingProperty) === undefined;
  return isBrokenBySize(keyword, data);
}

/** False for a minimum size and a value that is not empty: every minimum in the documents is 1. */
function isBrokenBySize(keyword: string, value: unknown): boolean {
  return !/^min(Items|Properties)$/.test(keyword) || Object.keys(Object(value)).length === 0;
}

function isLike(one: ErrorObject): (other: ErrorObject) => boolean {
  return (other) =>
    one.schemaPath === other.schemaPath &&
    one.instancePath === other.instancePath &&
    JSON.stringify(one.params) === JSON.stringify(other.params);
}
