import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { DecisionId } from '../decisions/ledger.js';
import { byConcreteness, matchSegments } from './path-template.js';
import { createSchemaAt, followReference, type SchemaAt } from './references.js';
import { requestDecisionsOf } from './requests-by-decision.js';

/** A document such as `openapi.yaml`, parsed. */
export type OpenApiDocument = OpenAPIV3.DocumentV3;

type PathItem = OpenAPIV3.PathItemObject;

/** One operation of the document, with what is needed to answer it. */
export interface OperationRoute {
  readonly operationId: string;
  /** The path as the document writes it, such as `/contracts/{contractId}`. */
  readonly template: string;
  readonly operation: OpenAPIV3.OperationObject;
  readonly schemaAt: SchemaAt;
  readonly successStatus: number;
  /** The decisions that affect the operation only through the document. */
  readonly decisionsInDocument: readonly DecisionId[];
}

/** A path of the document, or one that only stubs answer. */
export interface MatchedPath {
  readonly template: string;
  /** The operations by method in upper case; HEAD has that of GET. Empty if only stubs answer. */
  readonly routes: ReadonlyMap<string, OperationRoute>;
  /**
   * Every method of the path, as `Allow` lists them: with OPTIONS, and with HEAD if there is GET.
   */
  readonly methods: readonly string[];
  /** The stubs that answer other methods of the path, such as `POST (stub 1 of the server)`. */
  readonly stubs?: readonly string[];
}

export interface RouteTable {
  readonly paths: readonly MatchedPath[];
  routeOf(operationId: string): OperationRoute | undefined;
  /** Finds the path that an encoded path matches, strictly and case-sensitively. */
  match(path: string): MatchedPath | undefined;
}

/** The methods whose operations are read from a document. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export function operationsOf({ paths }: OpenApiDocument): OpenAPIV3.OperationObject[] {
  return Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item?.[method] ?? []));
}

/** The first 2xx response of an operation, with its status. Throws if there is none. */
export function successOf({ operationId, responses = {} }: OpenAPIV3.OperationObject) {
  const status = Object.keys(responses).find((one) => /^2\d\d$/.test(one));
  if (status !== undefined) return { status: Number(status), response: responses[status] };
  throw new Error(
    `The operation '${operationId}' has ${Object.keys(responses).join(', ') || 'no response'}; expected a success such as 200.`,
  );
}

/** Reads the document's routes. Throws unless its operations are exactly those `answered`, if given. */
export function createRouteTable(
  document: OpenApiDocument,
  answered?: readonly string[],
): RouteTable {
  const items = Object.entries(document.paths) as [string, PathItem][];
  const documented = operationsOf(document).map(({ operationId = '' }) => operationId);
  if (answered) refuseDifference(documented, answered);
  const paths = items.map(([template, item]) => readPath(document, template, item));
  const segments = paths
    .map((path) => ({ path, parts: path.template.split('/') }))
    .sort((one, other) => byConcreteness(one.path.template, other.path.template));
  const routes = new Map(
    paths.flatMap((path) => [...path.routes.values()].map((route) => [route.operationId, route])),
  );
  return {
    paths,
    routeOf: (operationId) => routes.get(operationId),
    match(path) {
      const received = path.split('/');
      return segments.find(({ parts }) => matchSegments(parts, received))?.path;
    },
  };
}

function readPath(document: OpenApiDocument, template: string, item: PathItem): MatchedPath {
  const routes = new Map<string, OperationRoute>();
  for (const method of METHODS) {
    const operation = item[method];
    if (operation) routes.set(method.toUpperCase(), readOperation(document, template, operation));
  }
  const get = routes.get('GET');
  if (get) routes.set('HEAD', get);
  return { template, routes, methods: [...routes.keys(), 'OPTIONS'] };
}

function readOperation(
  document: OpenApiDocument,
  template: string,
  given: OpenAPIV3.OperationObject,
): OperationRoute {
  const parameters = (given.parameters ?? []).map(
    (parameter) => followReference(parameter, document) ?? parameter,
  );
  const operation = { ...given, parameters };
  return {
    operationId: operation.operationId ?? '',
    template,
    operation,
    schemaAt: createSchemaAt(document, operation),
    successStatus: successOf(operation).status,
    decisionsInDocument: [operation, ...parameters, operation.requestBody].flatMap((part) =>
      requestDecisionsOf(followReference(part, document)),
    ),
  };
}

function refuseDifference(documented: readonly string[], answered: readonly string[]): void {
  const unanswered = documented.find((operationId) => !answered.includes(operationId));
  if (unanswered !== undefined) {
    throw new Error(`The document has the operation '${unanswered}', which no code answers.`);
  }
  const missing = answered.filter((operationId) => !documented.includes(operationId));
  if (missing.length > 0) {
    throw new Error(`The document lacks the operations ${missing.join(', ')}.`);
  }
}
