import type { ErrorObject } from 'ajv';
import {
  createSchemaCheck,
  expectationOf,
  followReference,
  type OpenApiDocument,
  operationsOf,
} from '#spec';
import { MAX_ERRORS } from '../../core/errors/first-mistakes.js';
import { valueAt } from '../../core/values/json-value.js';
import { MAX_LEVELS_WRAPPED, parseJson } from '../../core/values/parse-json.js';
import { shown } from '../../core/values/received-value.js';
import { readPackageYaml } from '../../host/server/documents/package-files.js';

export { buildMockServer } from '../../host/server/mock-server.js';

/** A response from supertest or axios, or a plain object. */
export interface AnyResponse {
  readonly status: number;
  /** The body, parsed or as text; axios calls it `data`. */
  readonly body?: unknown;
  readonly data?: unknown;
}

/** For the package's own document, so that its schemas are compiled only once. */
let matchShipped: ReturnType<typeof createDocumentMatch> | undefined;

/**
 * Says in at most 20 sentences how a response differs from the document, by default the package's
 * own; an empty list if it matches.
 */
export function matchDocument(
  operationId: string,
  response: AnyResponse,
  document?: object,
): readonly string[] {
  if (document) return createDocumentMatch(document)(operationId, response);
  matchShipped ??= createDocumentMatch(readPackageYaml('openapi.yaml') as object);
  return matchShipped(operationId, response);
}

/** Compiles each schema of a document when it is first used. */
function createDocumentMatch(document: object) {
  const { components = {} } = document as OpenApiDocument;
  const operations = operationsOf(document as OpenApiDocument);
  const check = createSchemaCheck(components);

  return (operationId: string, { status, body, data }: AnyResponse): readonly string[] => {
    const operation = operations.find((one) => one.operationId === operationId);
    if (!operation) {
      const known = operations.map((one) => one.operationId).join(', ');
      return [`Unknown operation '${operationId}'; expected one of ${known}.`];
    }
    const { responses = {} } = operation;
    const { [status]: given } = responses;
    if (!given) {
      const statuses = Object.keys(responses).join(', ');
      return [`The status is ${status}; expected one of ${statuses}.`];
    }
    const response = followReference(given, { components });
    const schema = Object.values({ ...response?.content })[0]?.schema;
    const received = jsonOf(body ?? data);
    if (schema) {
      const errors = check(schema, received).slice(0, MAX_ERRORS);
      return errors.map((error) => describeError(error, received));
    }
    return received === undefined ? [] : [`The body is ${shown(received)}; expected none.`];
  };
}

function describeError({ instancePath, ...rule }: ErrorObject, received: unknown): string {
  const place = instancePath && ` at ${instancePath}`;
  return `The body${place} is ${shown(valueAt(received, instancePath))}; expected ${expectationOf(rule)}.`;
}

/** Empty text is no body; text that is not JSON stays as it is. */
function jsonOf(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  if (body === '') return undefined;
  try {
    return parseJson(body, MAX_LEVELS_WRAPPED);
  } catch {
    return body;
  }
}
