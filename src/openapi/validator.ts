import { type RequestHandler, Router } from 'express';
import { middleware } from 'express-openapi-validator';
import { exchangeOf } from '../http/pipeline/exchange.js';
import { compileDocumentCheckLate } from './lazy-document-check.js';
import { METHODS, type OpenApiDocument } from './route-table.js';

/**
 * The validator of a document: refuses requests that break it, and answers that leave by
 * `res.json` and break it. Authentication and media types are settled before, and so is the path.
 * What a path takes is made when it is first called, from a document of its own: the validator
 * compiles the pattern of every path that it tries, at each request anew.
 */
export function createValidator(document: OpenApiDocument): RequestHandler {
  compileDocumentCheckLate();
  const text = JSON.stringify(document, withoutExamples);
  const validators = new Map<string, RequestHandler>();
  return (request, response, next) => {
    const template = exchangeOf(response).route?.template ?? '';
    // A copy, for the validator changes the document that it is given.
    const create = () => createPathValidator(JSON.parse(text), template);
    const validator = validators.get(template) ?? create();
    validators.set(template, validator);
    validator(request, response, next);
  };
}

function createPathValidator(
  { paths, components, ...document }: OpenApiDocument,
  template: string,
): RequestHandler {
  const given = paths[template] ?? {};
  for (const method of METHODS) keepSuccesses(given[method]?.responses ?? {});
  const path = resolveReferences(given, { components });
  for (const method of METHODS) allowReserved(path[method]?.parameters ?? []);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(
    middleware({
      apiSpec: { ...document, paths: { [template]: path } },
      // The gate checks the documents: a mistake in them is one of the package, not of the user.
      validateApiSpec: false,
      validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
      validateResponses: true,
      validateSecurity: false,
      fileUploader: false,
    }),
  );
  return router;
}

/** Takes the errors out: they leave by another way, and each would be compiled as a success is. */
function keepSuccesses(responses: Record<string, unknown>): void {
  for (const status of Object.keys(responses)) {
    if (Number(status) >= 300) delete responses[status];
  }
}

/** A query may have `/` or `:` as they are (RFC 3986, section 3.4); the validator would refuse them. */
function allowReserved(parameters: readonly object[]): void {
  for (const parameter of parameters) Object.assign(parameter, { allowReserved: true });
}

/**
 * A copy in which the value that a reference to the document stands for is in its place. The
 * validator would compile the whole document for each reference that it follows.
 */
function resolveReferences<Value>(value: Value, document: object): Value {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, document)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) {
    return resolveReferences(valueAt(document, String(value.$ref)) as Value, document);
  }
  const members = Object.entries(value).map(([name, member]) => [
    name,
    resolveReferences(member, document),
  ]);
  return Object.fromEntries(members) as Value;
}

/** What a reference such as `#/components/schemas/Customer` names. */
function valueAt(document: object, reference: string): unknown {
  const names = reference.split('/').slice(1);
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document);
}

/** Nothing is validated by examples, and their ids would be taken for schemas'. */
function withoutExamples(name: string, value: unknown): unknown {
  return name === 'example' ? undefined : value;
}
