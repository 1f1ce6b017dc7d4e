import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { RESOURCE_NAMES, type ResourceName, SCHEMA_OF } from '../billing/resources.js';
import { refuseUnlisted } from '../datasets/fixture/compile-checks.js';
import { type ProblemName, titleOf } from '../errors/problem-types.js';
import { type OpenApiDocument, operationsOf } from '../openapi/route-table.js';
import { OPEN_ENDPOINTS } from './open-endpoints.js';

/** The file of the service's document, as the control plane's document refers to it. */
const SERVICE = '"openapi.yaml#/';

/**
 * The whole document of the control plane: with the schemas of the service that it refers to, and the
 * errors that any operation may meet. As in a fixture, the schemas must list every member that a test
 * writes into a record.
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

/** The member of an operation that says which collection it is on. */
const COLLECTION = 'x-collection';

const PLACE = '/{collection}';

/**
 * The document with the paths of each collection written out: another collection is then an unknown
 * path, and a customer is validated as a customer.
 */
export function withEachCollection(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).flatMap(([path, item]) =>
    path.startsWith(PLACE)
      ? RESOURCE_NAMES.map((name) => [path.replace(PLACE, `/${name}`), onlyOf(name, item)])
      : [[path, item]],
  );
  return { ...document, paths: Object.fromEntries(paths) };
}

function onlyOf(name: ResourceName, item: object | undefined): object {
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

/** The collection of an operation on records; undefined for any other. */
export function collectionOf(operation: object): ResourceName | undefined {
  return Reflect.get(operation, COLLECTION);
}

type Responses = OpenAPIV3.ResponsesObject;
type CommonError = readonly [status: number, problem: ProblemName, description: string];

/** The responses that many operations have, by name; the document itself describes the others. */
const COMMON_ERRORS: Readonly<Record<string, CommonError>> = {
  InvalidRequest: [
    400,
    'invalid-request',
    'A parameter or the body is missing, malformed or out of bounds. Nothing was changed.',
  ],
  Unauthorized: [
    401,
    'unauthorized',
    'The Authorization header is missing or malformed, or its token is refused.',
  ],
  Forbidden: [
    403,
    'forbidden',
    'The control plane refuses this address, Host, Origin or control token.',
  ],
  UnknownIdentifier: [
    404,
    'unknown-identifier',
    'Not found in this account; or no open account has the id in `X-Account-Id`.',
  ],
  UnsupportedMediaType: [
    415,
    'unsupported-media-type',
    'The body is not declared as `application/json`. Nothing was changed.',
  ],
  InternalError: [500, 'internal-error', 'A defect in the mock itself.'],
  TooManyAccounts: [
    503,
    'too-many-accounts',
    'The token is new, and the mock has the maximum number of open accounts.',
  ],
};

/** The common error responses, by the names under which the whole document has them. */
function commonErrors(): Responses {
  const schema = { $ref: '#/components/schemas/Problem' };
  const described = Object.entries(COMMON_ERRORS).map(([name, [status, problem, description]]) => {
    const type = `urn:usage-billing-mock:problem:${problem}`;
    const example = { type, title: titleOf(problem), status, detail: description };
    return [name, { description, content: { 'application/problem+json': { schema, example } } }];
  });
  return Object.fromEntries(described);
}

/** The error responses of an operation that follow from who may call it, and from its body. */
function errorsOf(operation: OpenAPIV3.OperationObject): Responses {
  const { operationId = '', security, requestBody } = operation;
  const isOnAccount = security?.length !== 0;
  return {
    400: refTo('InvalidRequest'),
    ...(isOnAccount && { 401: refTo('Unauthorized') }),
    ...(!(operationId in OPEN_ENDPOINTS) && { 403: refTo('Forbidden') }),
    ...(isOnAccount && { 404: refTo('UnknownIdentifier') }),
    ...(requestBody && { 413: refTo('ContentTooLarge'), 415: refTo('UnsupportedMediaType') }),
    500: refTo('InternalError'),
    ...(isOnAccount && { 503: refTo('TooManyAccounts') }),
  };
}

function refTo(name: string): OpenAPIV3.ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}

/**
 * The schemas of bodies that a part of the account checks itself, so that HTTP and the library refuse
 * a value in the same words; with the members that only HTTP has, which stay with the validator.
 */
const CHECKED_BY_ACCOUNT: Readonly<Record<string, readonly string[]>> = {
  Customer: [],
  Contract: [],
  Measurement: [],
  UsageEvent: [],
  State: [],
  MergePatch: [],
  FaultRequest: [],
  DecisionChanges: [],
  StubRequest: ['for'],
  JournalFilter: ['of'],
  RequestWait: [],
};

/** Schemas of which the account checks the values of these members, and the validator the rest. */
const MEMBERS_CHECKED_BY_ACCOUNT: Readonly<Record<string, readonly string[]>> = {
  SnapshotRequest: ['id'],
  Failure: ['message'],
  ScenarioChoice: ['name'],
  ClockSetting: ['frozenAt', 'advanceMs'],
  LatencySetting: ['latency'],
};

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
}

/** The document for the validator: bodies that the account checks may be anything. */
export function withoutCheckedBodies(document: OpenApiDocument): OpenApiDocument {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, ObjectSchema>>;
  return JSON.parse(JSON.stringify(document), (name, value) => {
    if (name !== 'requestBody') return value;
    const { schema } = value.content['application/json'];
    const schemaName: string = schema.$ref.split('/').at(-1);
    const looser = looserThan(schemas[schemaName] ?? {}, schemaName) ?? schema;
    return { ...value, content: { 'application/json': { schema: looser } } };
  });
}

function withoutDefault({ default: _default, ...rule }: { readonly default?: unknown }): object {
  return rule;
}

function looserThan(schema: ObjectSchema, name: string): object | undefined {
  const members = Object.entries(schema.properties ?? {});
  const left = CHECKED_BY_ACCOUNT[name];
  if (left) {
    // A default would be added to the body, which the account would then check with it.
    const own = members.filter(([member]) => left.includes(member));
    return {
      properties: Object.fromEntries(own.map(([member, rule]) => [member, withoutDefault(rule)])),
    };
  }
  const checked = MEMBERS_CHECKED_BY_ACCOUNT[name];
  const properties = members.map(([member, rule]) => [
    member,
    checked?.includes(member) ? {} : rule,
  ]);
  return checked && { ...schema, properties: Object.fromEntries(properties) };
}
