import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { withEachCollection } from '../../../src/control-plane/control-document.js';

/** A schema of the documents, as far as values are generated from it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly example?: unknown;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** An operation of one of the documents. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** The template of its path, from the root. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of its body, and the name of that. */
  readonly body?: Schema;
}

/** A document, as far as it is read here. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

interface WrittenOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { schema: Schema } } };
}

const read = (file: string): Document => parse(readFileSync(file, 'utf8'));
const service = read('openapi.yaml');
const control = read('control.openapi.yaml');

/** The schemas of both documents by their names. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  ...service.components.schemas,
  ...control.components.schemas,
};

/** The five operations of the service. */
export const SERVICE_OPERATIONS = operationsOf(service, '');

/** The operations of the control plane, those on records once for each collection. */
export const CONTROL_OPERATIONS = operationsOf(
  withEachCollection(control as never) as unknown as Document,
  '/__control',
);

function operationsOf({ paths, components }: Document, prefix: string): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters = [], requestBody }]) => {
      const body = requestBody?.content['application/json'].schema;
      return {
        operationId,
        method: method.toUpperCase(),
        path: prefix + path,
        parameters: parameters.map((one) =>
          one.$ref ? (components.parameters?.[nameIn(one.$ref)] ?? one) : one,
        ),
        ...(body && { body }),
      };
    }),
  );
}

/** The last part of a reference. */
export function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
