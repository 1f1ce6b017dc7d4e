import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { RESOURCE_NAMES, type ResourceName, SCHEMA_OF } from '../../core/billing/resources.js';
import { refuseUnlisted } from '../../core/datasets/fixture/compile-checks.js';
import { DecisionsBehindResponse } from '../../core/decisions/decisions-behind-response.js';
import { DEFAULT_DECISIONS } from '../../core/decisions/ledger.js';
import { type ProblemName, statusOf, titleOf } from '../../core/errors/problem-types.js';
import { type OpenApiDocument, operationsOf } from '../../core/openapi/route-table.js';
import type { components } from '../../generated/control.js';
import type { Route } from '../client/control-routes.js';
import type { DocumentedExchange } from '../service/exchange.js';
import { OPEN_ENDPOINTS } from './open-endpoints.js';

/** How the control plane's document refers to the service's. */
const SERVICE = '"openapi.yaml#/';

/**
 * The complete document of the control plane, with the schemas of the service and the errors that
 * operations share. Records with unlisted members are refused, as in a fixture.
 */
export function wholeControlDocument(
  control: OpenApiDocument,
  service: OpenApiDocument,
): OpenApiDocument {
  const document = JSON.parse(
    JSON.stringify(control).replaceAll(SERVICE, '"#/'),
  ) as OpenApiDocument;
  const { components } = document;
  for (const operation of operationsOf(document)) {
    operation.responses = { ...operation.responses, ...errorsOf(operation) };
  }
  const schemas = refuseUnlisted(service.components?.schemas) as object;
  return {
    ...document,
    components: {
      ...components,
      responses: { ...components?.responses, ...commonErrors() },
      schemas: { ...schemas, ...components?.schemas },
    },
  };
}

/** The member of an operation that names its collection. */
const COLLECTION = 'x-collection';

const PLACE = '/{collection}';

/**
 * Writes out the paths of each collection, so that an unknown collection is an unknown path, and a
 * customer is validated as a customer.
 */
export function withEachCollection(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).flatMap(([path, item]) =>
    path.startsWith(PLACE)
      ? RESOURCE_NAMES.map((name) => [path.replace(PLACE, `/${name}`), forCollection(name, item)])
      : [[path, item]],
  );
  return { ...document, paths: Object.fromEntries(paths) };
}

function forCollection(name: ResourceName, item: object | undefined): object {
  return JSON.parse(JSON.stringify(item), (member, value) => {
    if (member === '$ref') return value.replace(/\/Record$/, `/${SCHEMA_OF[name]}`);
    if (value?.operationId) return { ...value, [COLLECTION]: name };
    if (value?.examples?.[name]) {
      const { examples, ...content } = value;
      return { ...content, example: examples[name].value };
    }
    return member === 'parameters'
      ? value.filter(({ $ref }: { $ref: string }) => !$ref.endsWith('/Collection'))
      : value;
  });
}

export function collectionOf(operation: object): ResourceName | undefined {
  return Reflect.get(operation, COLLECTION);
}

/** The method and path that a request calls, as the document writes them. */
export function calledRoute({ method, called: { route } }: DocumentedExchange): Route {
  const collection = collectionOf(route.operation);
  const path = collection ? route.template.replace(`/${collection}`, PLACE) : route.template;
  // The document has the route of every documented call.
  return `${method} ${path}` as Route;
}

type Responses = OpenAPIV3.ResponsesObject;
type CommonError = readonly [problem: ProblemName, description: string];

/** The error responses that many operations share, by name; the document describes the others. */
const COMMON_ERRORS: Readonly<Record<string, CommonError>> = {
  InvalidRequest: [
    'invalid-request',
    'A parameter or the body is missing, malformed or out of bounds. Nothing was changed.',
  ],
  Unauthorized: [
    'unauthorized',
    'The Authorization header is missing or malformed, or its token is refused.',
  ],
  Forbidden: [
    'forbidden',
    'The control plane refuses this address, Host, Origin or control token.',
  ],
  UnknownIdentifier: [
    'unknown-identifier',
    'Not found in this account; or no open account has the id in `X-Account-Id`.',
  ],
  UnsupportedMediaType: [
    'unsupported-media-type',
    'The body is not declared as `application/json`. Nothing was changed.',
  ],
  InternalError: ['internal-error', 'A defect in the mock itself.'],
  ServiceUnavailable: [
    'too-many-accounts',
    'The token is new, and the mock has the maximum number of open accounts; or the requests under way keep as much memory as they may (`too-much-under-way`).',
  ],
};

function commonErrors(): Responses {
  const schema = { $ref: '#/components/schemas/Problem' };
  const decisions = new DecisionsBehindResponse(DEFAULT_DECISIONS);
  const described = Object.entries(COMMON_ERRORS).map(([name, [problem, description]]) => {
    const status = statusOf(problem, decisions);
    const type = `urn:usage-billing-mock:problem:${problem}`;
    const example = { type, title: titleOf(problem), status, detail: description };
    return [name, { description, content: { 'application/problem+json': { schema, example } } }];
  });
  return Object.fromEntries(described);
}

function errorsOf(operation: OpenAPIV3.OperationObject): Responses {
  const { operationId = '', security, requestBody } = operation;
  const isOnAccount = security?.some((scheme) => 'accessToken' in scheme) ?? true;
  return {
    400: refTo('InvalidRequest'),
    ...(isOnAccount && { 401: refTo('Unauthorized') }),
    ...(!(operationId in OPEN_ENDPOINTS) && { 403: refTo('Forbidden') }),
    ...(isOnAccount && { 404: refTo('UnknownIdentifier') }),
    ...(requestBody && { 413: refTo('ContentTooLarge'), 415: refTo('UnsupportedMediaType') }),
    500: refTo('InternalError'),
    ...(isOnAccount && { 503: refTo('ServiceUnavailable') }),
  };
}

function refTo(name: string): OpenAPIV3.ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}

type SchemaName = keyof components['schemas'];

/** Checked by their collection and kind. */
const IN_OTHER_SCHEMAS: readonly SchemaName[] = ['FaultRequest', 'Record'];
const OF_ACCOUNT_ALONE: readonly SchemaName[] = ['FaultOfKind', 'WaitOptions'];

/** The names of the schemas by which values are checked: those of bodies, and of the account. */
export function checkedSchemas(document: OpenApiDocument): SchemaName[] {
  const ofBodies = operationsOf(document).flatMap((one) => bodySchemaOf(one) ?? []) as SchemaName[];
  const names = new Set([...ofBodies, ...OF_ACCOUNT_ALONE]);
  return [...names].filter((name) => !IN_OTHER_SCHEMAS.includes(name));
}

/** The name of the schema of an operation's body. */
export function bodySchemaOf({ requestBody }: OpenAPIV3.OperationObject): string | undefined {
  const { content } = (requestBody ?? {}) as Partial<OpenAPIV3.RequestBodyObject>;
  const schema = content?.['application/json']?.schema;
  return schema && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined;
}

/** Marks a schema that only the account uses. */
const INTERNAL = 'x-internal';

/** The document as clients get it. */
export function withoutInternal(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (_name, value) =>
    value?.[INTERNAL] ? undefined : value,
  );
}

/** The document for the validator, which accepts any body: the account's checks judge bodies. */
export function withAnyBody(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (name, value) =>
    name === 'requestBody' ? { ...value, content: { 'application/json': { schema: {} } } } : value,
  );
}
