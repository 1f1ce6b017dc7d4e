import type { ErrorObject } from 'ajv';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { Validators } from './compiled-validators.js';
import { allowsUndocumented } from './document-by-decisions.js';
import {
  type BrokenRule,
  type CalledOperation,
  type CreateJudge,
  type CreateSchemaCheck,
  errorsIn,
  type Input,
  WrongResponseError,
} from './judge.js';
import { followReference } from './references.js';
import { nameOfChanges } from './requests-by-decision.js';
import { type OpenApiDocument, successOf } from './route-table.js';

type Schema = OpenAPIV3.SchemaObject;

type Given = Schema | OpenAPIV3.ReferenceObject;

/** A part of an operation, with the name of its compiled validator. */
export interface JudgedPart {
  readonly name: string;
  /** The schema of an object with the part as its member. */
  readonly schema: object;
  /** The schema of the success response itself; absent from other parts. */
  readonly responseSchema?: Given;
}

export interface JudgedParts {
  readonly parameters: JudgedPart;
  readonly body?: JudgedPart;
  readonly success?: JudgedPart;
}

export function judgedParts(document: OpenApiDocument, called: CalledOperation): JudgedParts {
  const { template, method } = called;
  const item = document.paths[template] as Readonly<Record<string, OpenAPIV3.OperationObject>>;
  const operation = item?.[method.toLowerCase()];
  if (!operation) throw new Error(`The document has no operation ${method} ${template}.`);
  const { operationId, parameters = [], requestBody } = operation;
  // Both documents may have the same method and path.
  const name = `${operationId} ${method} ${template}`;
  const all = parameters.map((one) => followReference(one, document) as OpenAPIV3.ParameterObject);
  const { response } = successOf(operation);
  const body = schemaIn(requestBody, document);
  const success = schemaIn(response, document);
  const { required } = (body && followReference(body, document)) ?? {};
  return {
    parameters: {
      name: name + all.map(({ schema }) => nameOfChanges(schema, document)).join(''),
      schema: { properties: { query: valuesIn('query', all), params: valuesIn('path', all) } },
    },
    ...(body && {
      body: {
        name: `${name} body${nameOfChanges(body, document)}`,
        schema: { properties: { body }, ...(required && { required: ['body'] }) },
      },
    }),
    ...(success && {
      success: {
        name: name + validatorSuffix(document),
        schema: { properties: { response: success } },
        responseSchema: success,
      },
    }),
  };
}

/** The name of the compiled validator for a response's schema. */
export function documentedName(schema: object, components: object): string {
  // Ajv reads names as URIs.
  return encodeURIComponent(JSON.stringify(schema)) + validatorSuffix({ components });
}

/** The end of the names of validators that allow undocumented members and null in records. */
function validatorSuffix(document: Pick<OpenApiDocument, 'components'>): string {
  return allowsUndocumented(document) ? ' of undocumented records' : '';
}

type Content = OpenAPIV3.RequestBodyObject | OpenAPIV3.ResponseObject;

function schemaIn(given: object | undefined, document: OpenApiDocument): Given | undefined {
  const content = given && (followReference(given, document) as Content).content;
  return content?.['application/json']?.schema;
}

function valuesIn(place: string, parameters: readonly OpenAPIV3.ParameterObject[]): object {
  const own = parameters.filter((one) => one.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * Creates judges that compile no code, for pages whose Content-Security-Policy forbids it. The
 * build has compiled the validators, for the package's documents under every decision.
 */
export function judgeBy(
  validators: Pick<Validators, 'requests' | 'hastyRequests' | 'responses'>,
): CreateJudge {
  return (document) => {
    const known = new Map<string, JudgedParts>();
    const partsOf = (called: CalledOperation) => {
      const key = `${called.method} ${called.template}`;
      const parts = known.get(key) ?? judgedParts(document, called);
      known.set(key, parts);
      return parts;
    };
    const mayBeNull = isNullDecided(document);
    return {
      request(called, { path, query, body }, isFirstEnough) {
        const { parameters, body: bodyPart } = partsOf(called);
        const validatorOf = isFirstEnough ? validators.hastyRequests : validators.requests;
        // Parameters are converted in place.
        const values = { query: { ...query }, params: { ...path }, body };
        const errors = [parameters, ...(bodyPart ? [bodyPart] : [])].flatMap(({ name }) =>
          errorsIn(validatorOf(name), values),
        );
        const input: Input = { path: values.params, query: values.query, body };
        return { brokenRules: errors.map(brokenRule), input };
      },
      response(called, body) {
        const { success } = partsOf(called);
        if (!success) return;
        const response = mayBeNull ? withoutNulls(body, success.responseSchema, document) : body;
        const errors = errorsIn(validators.responses(success.name), { response });
        if (errors.length === 0) return;
        const texts = errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
        throw new WrongResponseError(texts.join(', '));
      },
    };
  };
}

/** Validates documented responses without compiling code; finds only the first broken rule. */
export function schemaCheckBy({ responses }: Pick<Validators, 'responses'>): CreateSchemaCheck {
  return (components) => {
    const isDecided = isNullDecided({ components });
    return (schema, value) => {
      const checked = isDecided ? withoutNulls(value, schema, { components }) : value;
      return errorsIn(responses(documentedName(schema, components)), checked);
    };
  };
}

/** Whether a decision allows null where the compiled validators do not. */
function isNullDecided(document: Pick<OpenApiDocument, 'components'>): boolean {
  // Only such a decision makes members nullable; the package's documents have none.
  const schemas = JSON.stringify(document.components?.schemas ?? {});
  return schemas.includes('"nullable":true') && !allowsUndocumented(document);
}

function brokenRule({ keyword, instancePath, params, message = '' }: ErrorObject): BrokenRule {
  const name: string | undefined = params.missingProperty ?? params.additionalProperty;
  return {
    path: name === undefined ? instancePath : `${instancePath}/${name}`,
    message: keyword === 'enum' ? `${message}: ${params.allowedValues.join(', ')}` : message,
    errorCode: `${keyword}.openapi.validation`,
  };
}

/**
 * Removes members that are null because a decision lets them be. Decisions can choose any
 * combination of members, so the compiled validators allow none of them to be null.
 */
function withoutNulls(
  value: unknown,
  given: Given | undefined,
  document: Pick<OpenApiDocument, 'components'>,
): unknown {
  const schema = followReference(given, document);
  if (!schema || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = 'items' in schema ? schema.items : undefined;
    return value.map((item) => withoutNulls(item, items, document));
  }
  const { properties = {} } = schema;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const below = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isAllowedNull = member === null && below && followReference(below, document)?.nullable;
    return isAllowedNull ? [] : [[name, withoutNulls(member, below, document)]];
  });
  return Object.fromEntries(members);
}
