import type { Request, Response } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import { compileDocumentCheckLate } from './lazy-document-check.js';
import { type CalledPath, createPathValidator, type PathValidator } from './path-validator.js';
import type { OpenApiDocument } from './route-table.js';

/** A rule of the document that a request breaks; its `path` is such as `/query/limit` or `/body/refs/0`. */
export interface BrokenRule {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** What the validator found in a request, and how it validates the answer to that. */
export interface Validation {
  /** Every rule of the document that the request breaks. */
  readonly brokenRules: readonly BrokenRule[];
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
  return (path, request, response) => {
    const { template } = path;
    const noteWrongAnswer = (answered: object, error: unknown) => wrongAnswers.set(answered, error);
    // A copy, for the library changes the document that it is given.
    const create = () => createPathValidator(JSON.parse(text), template, noteWrongAnswer);
    const validator = validators.get(template) ?? create();
    validators.set(template, validator);
    return run(validator, path, request, response, wrongAnswers);
  };
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
