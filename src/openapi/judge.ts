import { memberOf, namesOfPointer, pointerTo } from '../values/json-value.js';
import { hasMoreElements, sampleOf } from '../values/sample.js';
import type { OpenApiDocument } from './route-table.js';
import { isBrokenBySize, MOST_ELEMENTS } from './schema-check.js';

/** A rule of the document that a request breaks; its `path` is such as `/query/limit` or `/body/refs/0`. */
export interface BrokenRule {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string | undefined;
}

/** The operation of the document that a request calls. */
export interface CalledOperation {
  /** Such as `/contracts/{contractId}`. */
  readonly template: string;
  /** As in the document: never HEAD. */
  readonly method: string;
}

/** The values of a request, decoded. */
export interface Input {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What a judge says of a request. */
export interface Judgement {
  /** The rules of the document that the request breaks. */
  readonly brokenRules: readonly BrokenRule[];
  /** Its values: parameters converted to their types, with the defaults of the document. */
  readonly input: Input;
}

/** Holds requests and responses against a document. */
export interface Judge {
  /** Finds every rule that a request breaks, or with `isFirstEnough` perhaps the first alone. */
  request(called: CalledOperation, sent: Input, isFirstEnough: boolean): Judgement;
  /** Throws a `WrongResponseError` if the body, under this status, does not match the document. */
  response(called: CalledOperation, status: number, body: object): void;
}

/** Creates the judge of a document. */
export type CreateJudge = (document: OpenApiDocument) => Judge;

/** A response that does not match the document. */
export class WrongResponseError extends Error {
  override readonly name = 'WrongResponseError';
}

/**
 * Judges a request. Of a long body that breaks a rule, only the first mistake and a sample that begins
 * with it are searched for others: to report every mistake of millions would block the server.
 */
export function judgeRequest(
  judge: Judge,
  called: CalledOperation,
  sent: Input,
): Judgement & { readonly isSample: boolean } {
  if (!hasMoreElements(sent.body, MOST_ELEMENTS)) {
    return { ...judge.request(called, sent, false), isSample: false };
  }
  const whole = judge.request(called, sent, true);
  if (whole.brokenRules.length === 0) return { ...whole, isSample: false };
  const brokenRules = [...whole.brokenRules, ...othersOf(judge, called, sent, whole.brokenRules)];
  return { ...whole, brokenRules, isSample: true };
}

/** The rules that a sample of a long body breaks, beside those that were found. */
function othersOf(
  judge: Judge,
  called: CalledOperation,
  sent: Input,
  found: readonly BrokenRule[],
): readonly BrokenRule[] {
  const sample = sampleOf(sent.body, {
    mostElements: MOST_ELEMENTS,
    names: namesIn(found.at(-1)) ?? [],
  });
  const { brokenRules } = judge.request(called, { ...sent, body: sample.value }, false);
  const isNew = (rule: BrokenRule) =>
    !found.some((one) => one.path === rule.path && one.errorCode === rule.errorCode);
  return brokenRules
    .map((rule) => {
      const names = namesIn(rule);
      return names ? { ...rule, path: `${IN_BODY}${pointerTo(...sample.placeOf(names))}` } : rule;
    })
    .filter((rule) => isNew(rule) && isOfWhole(rule, sent.body));
}

const IN_BODY = '/body';

/** The names that lead to the value of a rule within the body. */
function namesIn(rule: BrokenRule | undefined): string[] | undefined {
  return rule?.path.startsWith(`${IN_BODY}/`)
    ? namesOfPointer(rule.path.slice(IN_BODY.length))
    : undefined;
}

/** Whether a rule is broken by more than that elements were left out. */
function isOfWhole(rule: BrokenRule, body: unknown): boolean {
  const [keyword = ''] = (rule.errorCode ?? '').split('.');
  const value = (namesIn(rule) ?? []).reduce(memberOf, body);
  return keyword === 'required' ? value === undefined : isBrokenBySize(keyword, value);
}
