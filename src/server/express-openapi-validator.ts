import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import {
  BadRequest,
  InternalServerError,
  type OpenAPIV3,
  type OpenApiRequest,
} from 'express-openapi-validator/dist/framework/types.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import {
  type BrokenRule,
  type CalledOperation,
  type Input,
  type Judge,
  WrongResponseError,
} from '../openapi/judge.js';
import { followReference, isReference } from '../openapi/references.js';
import { METHODS, type OpenApiDocument, successOf } from '../openapi/route-table.js';

/** The validator's options, completed as its middleware would. */
function optionsOf(allErrors: boolean): AjvOptions {
  return new AjvOptions({
    apiSpec: '',
    validateRequests: { allErrors, allowUnknownQueryParameters: true },
    validateResponses: {},
    validateFormats: true,
    ajvFormats: { mode: 'fast' },
    formats: {},
    // Dates stay strings.
    serDes: [],
    // Only the middleware uses the rest.
    validateApiSpec: false,
    validateSecurity: false,
    fileUploader: false,
    $refParser: { mode: 'bundle' },
    operationHandlers: false,
  });
}

/** Creates validators quickly: without the meta-schema, and leaving optimization to V8. */
const QUICKLY_MADE = { meta: false, code: { optimize: false } };

/** The library's validators for one path, and its operations. */
type PathValidators = ReturnType<typeof createValidators>;

/** An operation as the library's validators expect it. */
interface DocumentedOperation {
  readonly schema: OpenAPIV3.OperationObject;
  /** The validators of its responses, by status. */
  readonly responses: () => Parameters<ResponseValidator['_validate']>[0]['validators'];
}

/**
 * Creates a judge from the request and response validators of express-openapi-validator, without
 * its middleware. Those of a path are built when it is first called. The version is pinned, since
 * these classes are internals of the library.
 */
export function createJudge(document: OpenApiDocument): Judge {
  // Without examples, whose ids would be mistaken for those of schemas.
  const text = JSON.stringify(document, (name, value) => (name === 'example' ? undefined : value));
  const paths = new Map<string, PathValidators>();
  function validatorsOf(template: string): PathValidators {
    // A copy, because the library changes the document that it is given.
    const known = paths.get(template) ?? createValidators(() => JSON.parse(text), template);
    paths.set(template, known);
    return known;
  }
  return {
    request(called, sent, isFirstEnough) {
      const validators = validatorsOf(called.template);
      const validator = isFirstEnough ? validators.hastyRequests() : validators.requests;
      const request = standIn(called, operationOf(validators, called), sent);
      const brokenRules = rulesBroken(validator, request);
      return {
        brokenRules,
        input: { path: request.params, query: request.query, body: request.body },
      };
    },
    response(called, body) {
      const validators = validatorsOf(called.template);
      const { schema, responses } = operationOf(validators, called);
      const { status: statusCode } = successOf(schema);
      const given = { validators: responses(), body, statusCode, path: called.template };
      try {
        validators.responses._validate({ ...given, accepts: [] });
      } catch (error) {
        if (!(error instanceof InternalServerError)) throw error;
        throw new WrongResponseError(error.message, { cause: error });
      }
    },
  };
}

function createValidators(readDocument: () => OpenApiDocument, template: string) {
  const options = optionsOf(true);
  const { apiDoc, apiDocRes } = preprocessed(readDocument(), template, options);
  const responses = new ResponseValidator(apiDocRes, { ...options.response, ...QUICKLY_MADE });
  const operations = METHODS.flatMap((method) => {
    const schema = apiDoc.paths?.[template]?.[method];
    const documented = apiDocRes.paths?.[template]?.[method]?.responses ?? {};
    const request = { method, headers: {}, openapi: { expressRoute: template } };
    const operation = {
      schema,
      responses: once(() => responses._getOrBuildValidator(request as OpenApiRequest, documented)),
    };
    return schema ? [[method.toUpperCase(), operation]] : [];
  });
  return {
    /** Reports every rule that a request breaks. */
    requests: new RequestValidator(apiDoc, { ...options.request, ...QUICKLY_MADE }),
    /** Reports only the first. */
    hastyRequests: once(() => {
      const hasty = optionsOf(false);
      const { apiDoc: copy } = preprocessed(readDocument(), template, hasty);
      return new RequestValidator(copy, { ...hasty.request, ...QUICKLY_MADE });
    }),
    responses,
    operations: Object.fromEntries(operations) as Record<string, DocumentedOperation | undefined>,
  };
}

/** The document with only this path, preprocessed by the library for its validators. */
function preprocessed(
  { paths, components, ...document }: OpenApiDocument,
  template: string,
  options: AjvOptions,
) {
  const given = paths[template] ?? {};
  for (const method of METHODS) keepSuccesses(given[method]?.responses ?? {});
  const path = resolveReferences(given, { components });
  for (const method of METHODS) allowReserved(path[method]?.parameters ?? []);
  const alone = { ...document, paths: { [template]: path } } as OpenAPIV3.DocumentV3;
  return new SchemaPreprocessor(alone, options.preprocessor, {}).preProcess();
}

function operationOf(
  { operations }: PathValidators,
  { template, method }: CalledOperation,
): DocumentedOperation {
  const operation = operations[method];
  if (operation) return operation;
  throw new Error(`The document has no operation ${method} ${template}.`);
}

/** Stands in for Express's request, with the members that the validators read. */
function standIn(
  { template, method }: CalledOperation,
  { schema }: DocumentedOperation,
  { path, query, body }: Input,
) {
  const params = { ...path };
  return {
    method,
    path: template,
    // Searched only for reserved characters, which are allowed.
    originalUrl: '',
    // The document has no other media type, and others were refused before.
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    params,
    query: { ...query },
    body,
    openapi: { expressRoute: template, openApiRoute: template, pathParams: params, schema },
  };
}

function rulesBroken(validator: RequestValidator, request: object): readonly BrokenRule[] {
  try {
    validator.validate(request as unknown as OpenApiRequest, {} as never, () => undefined);
    return [];
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return error.errors;
  }
}

/** Removes error responses: they are never judged, but each would be compiled. */
function keepSuccesses(responses: Record<string, unknown>): void {
  for (const status of Object.keys(responses)) {
    if (Number(status) >= 300) delete responses[status];
  }
}

/** A query may contain `/` or `:` unencoded (RFC 3986, section 3.4); the library would refuse them. */
function allowReserved(parameters: readonly object[]): void {
  for (const parameter of parameters) Object.assign(parameter, { allowReserved: true });
}

/**
 * Copies a value, with every reference to the document replaced. The library would compile the
 * whole document for each reference that it follows.
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

/** Creates a value when it is first needed, and keeps it. */
function once<Value extends object>(create: () => Value): () => Value {
  let created: Value | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
