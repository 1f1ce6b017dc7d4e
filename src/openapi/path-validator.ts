import { setImmediate } from 'node:timers';
import type { Response } from 'express';
import { middleware } from 'express-openapi-validator';
import type {
  OpenApiRequest,
  OpenApiRequestHandler,
  OpenApiRequestMetadata,
} from 'express-openapi-validator/dist/framework/types.js';
import { followReference, isReference } from './references.js';
import { METHODS, type OpenApiDocument } from './route-table.js';

/** A path of the document as a request calls it. */
export interface CalledPath {
  /** Such as `/contracts/{contractId}`. */
  readonly template: string;
  /** The values in it by their names, still encoded; they can be decoded. */
  readonly values: Readonly<Record<string, string>>;
}

/** Validates a request for one path, and hooks `response.json` for the answer. */
export type PathValidator = (
  path: CalledPath,
  request: OpenApiRequest,
  response: Response,
  done: (error?: unknown) => void,
) => void;

/**
 * The library's validator of one path of the document, which it changes. It reports every rule that
 * a request breaks, or the first.
 */
export function createPathValidator(
  { paths, components, ...document }: OpenApiDocument,
  template: string,
  noteWrongAnswer: (request: object, error: unknown) => void,
  allErrors: boolean,
): PathValidator {
  const given = paths[template] ?? {};
  for (const method of METHODS) keepSuccesses(given[method]?.responses ?? {});
  const path = resolveReferences(given, { components });
  for (const method of METHODS) allowReserved(path[method]?.parameters ?? []);
  return lookUpOnce(
    middleware({
      // Requests arrive without what their server has before the path.
      apiSpec: { ...document, servers: [{ url: '/' }], paths: { [template]: path } },
      // The gate checks the documents: a mistake in them is one of the package, not of the user.
      validateApiSpec: false,
      validateRequests: { allErrors, allowUnknownQueryParameters: true },
      validateResponses: { onError: (error, _body, request) => noteWrongAnswer(request, error) },
      validateSecurity: false,
      fileUploader: false,
    }),
  );
}

/** An operation that the library has found, and its handlers that come after. */
interface FoundOperation {
  readonly metadata: OpenApiRequestMetadata;
  readonly handlers: readonly OpenApiRequestHandler[];
}

/**
 * Runs the library's handlers in order. They look up the operation only for the first request of
 * each method: the library compiles the pattern of the path again for each request.
 */
function lookUpOnce(handlers: readonly OpenApiRequestHandler[]): PathValidator {
  const operations = new Map<string, FoundOperation>();
  return ({ values }, request, response, done) => {
    const found = operations.get(request.method);
    if (found) request.openapi = { ...found.metadata, pathParams: decoded(values) };
    // Another validator of the path may have set it.
    else delete request.openapi;
    const remaining = found?.handlers ?? handlers;
    let index = 0;
    function next(error?: unknown): void {
      const { method, openapi: metadata } = request;
      if (metadata && !operations.has(method)) {
        operations.set(method, { metadata, handlers: handlers.slice(index) });
      }
      const handler = error === undefined ? remaining[index] : undefined;
      index += 1;
      if (handler) handler(request, response, next);
      // Requests that arrive together are all read before the first is answered: a fifth less time.
      else setImmediate(done, error);
    }
    next();
  };
}

function decoded(values: CalledPath['values']): Record<string, string> {
  const members = Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]);
  return Object.fromEntries(members);
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
