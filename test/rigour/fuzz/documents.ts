import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import { isReference } from '../../../src/core/openapi/references.js';
import { valueAt } from '../../../src/core/values/json-value.js';
import {
  wholeControlDocument,
  withEachCollection,
} from '../../../src/mock/control-plane/control-document.js';

/** The keywords of a schema from which values are generated. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly example?: unknown;
}

/** An operation of one of the documents; its path is a template, from the root. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: 'path' | 'query'; schema: Schema }[];
  readonly body?: Schema;
}

const [service, control] = ['openapi.yaml', 'control.openapi.yaml'].map((file) =>
  parse(readFileSync(file, 'utf8')),
);

/** The operations of the service and the control plane; those on records, once per collection. */
export const OPERATIONS: readonly Operation[] = [
  ...operationsOf(service, ''),
  ...operationsOf(withEachCollection(wholeControlDocument(control, service)), '/__control'),
  // Stopping would end the run.
].filter(({ operationId }) => operationId !== 'stopServer');

function operationsOf(document: object, prefix: string): readonly Operation[] {
  const { paths, components } = resolved(document, document) as {
    paths: Record<string, Record<string, Operation & { requestBody?: { content: object } }>>;
    components: { schemas: Record<string, Schema> };
  };
  // The members of a fault depend on its kind.
  const bodyOf = (schema: Schema) =>
    schema === components.schemas.FaultRequest ? components.schemas.FaultOfKind : schema;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters = [], requestBody }]) => ({
      ...{ operationId, method: method.toUpperCase(), path: prefix + path, parameters },
      ...(requestBody && { body: bodyOf(Object.values(requestBody.content)[0].schema) }),
      // Reports show only the id.
      [fc.toStringMethod]: () => operationId,
    })),
  );
}

/** A value in a document, with its references resolved. */
function resolved(value: unknown, document: object): unknown {
  if (isReference(value)) return resolved(valueAt(document, value.$ref), document);
  if (Array.isArray(value)) return value.map((one) => resolved(one, document));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, resolved(member, document)]),
  );
}
