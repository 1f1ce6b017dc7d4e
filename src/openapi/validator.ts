import { type Request, type RequestHandler, type Response, Router } from 'express';
import { middleware, error as validatorErrors } from 'express-openapi-validator';
import { compileDocumentCheckLate } from './lazy-document-check.js';
import { followReference, isReference } from './references.js';
import { METHODS, type OpenApiDocument } from './route-table.js';

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
 * Validates requests for a path of the document, such as `/contracts/{contractId}`. Converts the
 * parameters to their types. Rejects with whatever else is wrong, such as a media type.
 */
export type Validator = (
  template: string,
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
  const validators = new Map<string, RequestHandler>();
  const wrongAnswers: WrongAnswers = new WeakMap();
  return (template, request, response) => {
    // A copy, for the library changes the document that it is given.
    const create = () => createPathValidator(JSON.parse(text), template, wrongAnswers);
    const validator = validators.get(template) ?? create();
    validators.set(template, validator);
    return run(validator, request, response, wrongAnswers);
  };
}

/** What is wrong with the answer to a request. */
type WrongAnswers = WeakMap<object, unknown>;

/**
 * The library validates an answer in a hook upon `response.json`, which then sends it. The hook is
 * taken off, and calls nothing that sends, so that an answer is validated before it is sent.
 */
function run(
  validator: RequestHandler,
  request: Request,
  response: Response,
  wrongAnswers: WrongAnswers,
): Promise<Validation> {
  const send = response.json;
  const sendNothing = () => response;
  response.json = sendNothing;
  return new Promise((resolve, reject) => {
    validator(request, response, (error?: unknown) => {
      const check = response.json;
      response.json = send;
      const isRefused = error instanceof validatorErrors.BadRequest;
      if (error !== undefined && !isRefused) return reject(error);
      if (!isRefused && check === sendNothing) {
        return reject(new Error('The validator does not hook response.json; expected it to.'));
      }
      resolve({
        brokenRules: isRefused ? error.errors : [],
        checkAnswer(body) {
          check.call(response, body);
          response.json = send;
          if (wrongAnswers.has(request)) throw wrongAnswers.get(request);
        },
      });
    });
  });
}

function createPathValidator(
  { paths, components, ...document }: OpenApiDocument,
  template: string,
  wrongAnswers: WrongAnswers,
): RequestHandler {
  const given = paths[template] ?? {};
  for (const method of METHODS) keepSuccesses(given[method]?.responses ?? {});
  const path = resolveReferences(given, { components });
  for (const method of METHODS) allowReserved(path[method]?.parameters ?? []);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(
    middleware({
      // Requests arrive without what their server has before the path.
      apiSpec: { ...document, servers: [{ url: '/' }], paths: { [template]: path } },
      // The gate checks the documents: a mistake in them is one of the package, not of the user.
      validateApiSpec: false,
      validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
      validateResponses: { onError: (error, _body, request) => wrongAnswers.set(request, error) },
      validateSecurity: false,
      fileUploader: false,
    }),
  );
  return router;
}

/** Removes the errors: they are sent elsewhere, and each would be compiled like a success. */
function keepSuccesses(responses: Record<string, unknown>): void {
  for (const status of Object.keys(responses)) {
    if (Number(status) >= 300) delete responses[status];
  }
}

/** A query may contain `/` or `:` unencoded (RFC 3986, section 3.4); the validator would refuse them. */
function allowReserved(parameters: readonly object[]): void {
  for (const parameter of parameters) Object.assign(parameter, { allowReserved: true });
}

/**
 * A copy in which every reference to the document is replaced by its value. The
 * validator would compile the whole document for each reference that it follows.
 */
function resolveReferences<Value>(value: Value, document: object): Value {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, document)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) {
    return resolveReferences(followReference(value, document) as Value, document);
  }
  const members = Object.entries(value).map(([name, member]) => [
    name,
    resolveReferences(member, document),
  ]);
  return Object.fromEntries(members) as Value;
}

/** Examples validate nothing, and their ids would be mistaken for those of schemas. */
function withoutExamples(name: string, value: unknown): unknown {
  return name === 'example' ? undefined : value;
}
