import { createHash } from 'node:crypto';
import type { Ajv, Options } from 'ajv';
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
} from '../../../core/openapi/judge.js';
import { followReference } from '../../../core/openapi/references.js';
import { METHODS, type OpenApiDocument, successOf } from '../../../core/openapi/route-table.js';
import { type CompiledPath, compiledPaths } from './compiled-path-validators.js';

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

/** Skips the meta-schema and Ajv's own optimisation, so that validators are created quickly. */
const QUICKLY_MADE: Options = { meta: false, code: { optimize: false } };

type Compilers = Readonly<Record<keyof CompiledPath, Ajv>>;

/** Members that the library's types keep private. */
type LibraryValidator = Readonly<Record<'ajv' | 'ajvBody', Ajv>>;

type PathValidators = ReturnType<typeof createValidators>;

type CreatePathValidators = (document: OpenApiDocument, template: string) => PathValidators;

/** An operation as the library's validators expect it. */
interface DocumentedOperation {
  readonly schema: OpenAPIV3.OperationObject;
  readonly responses: () => Parameters<ResponseValidator['_validate']>[0]['validators'];
}

/**
 * Creates a judge from the request and response validators of express-openapi-validator, without
 * its middleware. These classes are internals of the library, so its version is pinned. The
 * validators of a path are built when it is first called; what the build has compiled is used if
 * the path item is as in `openapi.yaml`.
 */
export function createJudge(
  document: OpenApiDocument,
  create: CreatePathValidators = createValidators,
): Judge {
  const paths = new Map<string, PathValidators>();
  function validatorsOf(template: string): PathValidators {
    const known = paths.get(template) ?? create(document, template);
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

/** The validators compile only what the build has not compiled. */
export function createValidators(
  document: OpenApiDocument,
  template: string,
  how = QUICKLY_MADE,
  known = compiledPaths,
) {
  const options = optionsOf(true);
  const { apiDoc, apiDocRes, digest } = preprocessed(document, template, options);
  const requests = new RequestValidator(apiDoc, { ...options.request, ...how });
  const responses = new ResponseValidator(apiDocRes, { ...options.response, ...how });
  const { ajv: parameters, ajvBody: bodies } = requests as unknown as LibraryValidator;
  const { ajvBody: ofResponses } = responses as unknown as LibraryValidator;
  const compilers: Compilers = { parameters, bodies, responses: ofResponses };
  const compiled = known[digest]?.();
  if (compiled) lookUpFirst(compilers, compiled);
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
    digest,
    compilers,
    /** Reports every rule that a request breaks. */
    requests,
    /** Reports only the first rule that a request breaks. */
    hastyRequests: once(() => {
      const hasty = optionsOf(false);
      const { apiDoc: copy } = preprocessed(document, template, hasty);
      return new RequestValidator(copy, { ...hasty.request, ...QUICKLY_MADE });
    }),
    responses,
    operations: Object.fromEntries(operations) as Readonly<Record<string, DocumentedOperation>>,
  };
}

/** Makes the library find compiled validators where it looks before it compiles. */
function lookUpFirst(compilers: Compilers, compiled: CompiledPath): void {
  for (const part of ['parameters', 'bodies', 'responses'] as const) {
    const compiler = compilers[part];
    const compile = compiler.getSchema.bind(compiler);
    compiler.getSchema = (key) => (compiled[part][key] ?? compile(key)) as never;
  }
}

/** The document with only this path, preprocessed by the library for its validators. */
function preprocessed(document: OpenApiDocument, template: string, options: AjvOptions) {
  const { paths, components, ...others } = document;
  // Replaces references by their values: for each, the library would compile the whole document.
  // Drops examples: the library would take the ids in them for those of schemas.
  const text = JSON.stringify(withoutErrors(paths[template] ?? {}), (name, value) =>
    name === 'example' ? undefined : followReference(value, { components }),
  );
  // A copy, because the library changes it.
  const path: OpenAPIV3.PathItemObject = JSON.parse(text);
  for (const method of METHODS) allowReserved(path[method]?.parameters ?? []);
  const alone = { ...others, paths: { [template]: path } } as OpenAPIV3.DocumentV3;
  const digest = createHash('sha256').update(text).digest('hex');
  return { ...new SchemaPreprocessor(alone, options.preprocessor, {}).preProcess(), digest };
}

function operationOf(
  { operations }: PathValidators,
  { template, method }: CalledOperation,
): DocumentedOperation {
  const operation = operations[method];
  if (operation) return operation;
  throw new Error(`The document has no operation ${method} ${template}.`);
}

/** A request with the members of Express's that the validators read. */
function standIn(
  { template, method }: CalledOperation,
  { schema }: DocumentedOperation,
  { path, query, body }: Input,
) {
  const params = { ...path };
  return {
    method,
    path: template,
    // The library reads this only to find reserved characters, which are allowed.
    originalUrl: '',
    // The only media type of the document; the pipeline has refused all others.
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

/** The path without its error responses, which are never judged and take long to compile. */
function withoutErrors(path: OpenAPIV3.PathItemObject): OpenAPIV3.PathItemObject {
  const operations = METHODS.flatMap((method) => {
    const { responses = {}, ...operation } = path[method] ?? {};
    const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
    return path[method]
      ? [[method, { ...operation, responses: Object.fromEntries(successes) }]]
      : [];
  });
  return { ...path, ...Object.fromEntries(operations) };
}

/** A query may contain `/` or `:` unencoded (RFC 3986, section 3.4); the library would refuse them. */
function allowReserved(parameters: readonly object[]): void {
  for (const parameter of parameters) Object.assign(parameter, { allowReserved: true });
}

function once<Value extends object>(create: () => Value): () => Value {
  let created: Value | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
