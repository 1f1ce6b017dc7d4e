import type { Request, Response } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import { memberOf, namesOfPointer, pointerTo } from '../errors/json-pointer.js';
import { hasMoreElements, sampleOf } from '../messages/sample.js';
import { compileDocumentCheckLate } from './lazy-document-check.js';
import { type CalledPath, createPathValidator, type PathValidator } from './path-validator.js';
import type { OpenApiDocument } from './route-table.js';
import { isBrokenBySize, MOST_ELEMENTS } from './schema-check.js';

/** A rule of the document that a request breaks; its `path` is such as `/query/limit` or `/body/refs/0`. */
export interface BrokenRule {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** What the validator found in a request, and how it validates the answer to that. */
export interface Validation {
  /** Every rule of the document that the request breaks; of a long body the first, and others. */
  readonly brokenRules: readonly BrokenRule[];
  /** True if not all of the body was searched for broken rules. */
  readonly isSample: boolean;
  /** Throws if the body, under the status that the response has, does not match the document. */
  readonly checkAnswer: (body: object) => void;
}

/**
 * Validates requests for a path of the document. Converts the parameters to their types. Rejects
 * with whatever else is wrong, such as a media type.
 */
export type Validator = (
  path: CalledPath,
  request: Request,
  response: Response,
) => Promise<Validation>;

/**
 * The validator of a document. Authentication and media types are settled before, and so is the
 * path. The validator of a path is built when it is first called, from a separate document: the
 * library compiles the pattern of every path that it tries, again for each request.
 */
export function createValidator(document: OpenApiDocument): Validator {
  compileDocumentCheckLate();
  const text = JSON.stringify(document, withoutExamples);
  const validators = new Map<string, PathValidator>();
  const wrongAnswers: WrongAnswers = new WeakMap();
  const noteWrongAnswer = (answered: object, error: unknown) => wrongAnswers.set(answered, error);

  function validatorOf(template: string, allErrors: boolean): PathValidator {
    const key = `${allErrors} ${template}`;
    const validator =
      validators.get(key) ??
      // A copy, for the library changes the document that it is given.
      createPathValidator(JSON.parse(text), template, noteWrongAnswer, allErrors);
    validators.set(key, validator);
    return validator;
  }

  return async (path, request, response) => {
    const validate = (allErrors: boolean) =>
      run(validatorOf(path.template, allErrors), path, request, response, wrongAnswers);
    const { body } = request;
    if (!hasMoreElements(body, MOST_ELEMENTS)) return validate(true);
    const whole = await validate(false);
    if (whole.brokenRules.length === 0) return whole;
    const sampled = await validateSample(request, whole.brokenRules, () => validate(true));
    return { ...whole, brokenRules: sampled, isSample: true };
  };
}

/** The rules that a long body breaks: those that were found first, and those that a sample breaks. */
async function validateSample(
  request: Request,
  found: readonly BrokenRule[],
  validate: () => Promise<Validation>,
): Promise<readonly BrokenRule[]> {
  const { body } = request;
  const sample = sampleOf(body, {
    mostElements: MOST_ELEMENTS,
    names: namesIn(found.at(-1)) ?? [],
  });
  request.body = sample.value;
  const { brokenRules } = await validate();
  request.body = body;
  const others = brokenRules.map((rule) => {
    const names = namesIn(rule);
    return names ? { ...rule, path: `${IN_BODY}${pointerTo(...sample.placeOf(names))}` } : rule;
  });
  const isNew = (rule: BrokenRule) =>
    !found.some((one) => one.path === rule.path && one.errorCode === rule.errorCode);
  return [...found, ...others.filter((rule) => isNew(rule) && isOfWhole(rule, body))];
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

/** What is wrong with the answer to a request. */
type WrongAnswers = WeakMap<object, unknown>;

/**
 * The library validates an answer in a hook upon `response.json`, which then sends it. The hook is
 * taken off, and calls nothing that sends, so that an answer is validated before it is sent.
 */
function run(
  validator: PathValidator,
  path: CalledPath,
  request: Request,
  response: Response,
  wrongAnswers: WrongAnswers,
): Promise<Validation> {
  const send = response.json;
  const sendNothing = () => response;
  response.json = sendNothing;
  return new Promise((resolve, reject) => {
    validator(path, request, response, (error?: unknown) => {
      const check = response.json;
      response.json = send;
      const isRefused = error instanceof validatorErrors.BadRequest;
      if (error !== undefined && !isRefused) return reject(error);
      if (!isRefused && check === sendNothing) {
        return reject(new Error('The validator does not hook response.json; expected it to.'));
      }
      resolve({
        brokenRules: isRefused ? withoutAlternatives(error.errors) : [],
        isSample: false,
        checkAnswer(body) {
          check.call(response, body);
          response.json = send;
          if (wrongAnswers.has(request)) throw wrongAnswers.get(request);
        },
      });
    });
  });
}

/** Without the rules of single alternatives: that a value matches none of them is one mistake. */
function withoutAlternatives(rules: readonly BrokenRule[]): readonly BrokenRule[] {
  const isChoice = ({ errorCode = '' }: BrokenRule) => errorCode.startsWith('oneOf.');
  const choices = new Set(rules.filter(isChoice).map(({ path }) => path));
  return rules.filter((rule) => isChoice(rule) || !choices.has(rule.path));
}

/** Examples validate nothing, and their ids would be mistaken for those of schemas. */
function withoutExamples(name: string, value: unknown): unknown {
  return name === 'example' ? undefined : value;
}
