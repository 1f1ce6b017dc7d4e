import { call, NO_ACCOUNT } from '../connection/call.js';
import type { Option } from '../parts/controls.js';
import { type Loaded, useLoaded } from '../parts/use-loaded.js';

/** A schema as the page reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly example?: unknown;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** A request or a response of an operation. */
export interface Body {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

/** An operation of the document. */
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}

/** The document in force. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Follows a `$ref` within the document. */
export function resolve<Part extends { readonly $ref?: string }>(
  document: OpenApiDocument,
  part: Part,
): Part {
  if (part.$ref === undefined) return part;
  const names = part.$ref.split('/').slice(1);
  const found = names.reduce<unknown>(
    (parent, name) => (parent as Record<string, unknown> | undefined)?.[name],
    document,
  );
  return (found ?? part) as Part;
}

/** An operation, and where it is. */
export type PlacedOperation = ReturnType<typeof operationsOf>[number];

/** The operations of the document, in its order. */
export function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The document in force for an account; it is loaded again when the version changes. */
export function useDocument(account: string, version = ''): Loaded<OpenApiDocument> {
  return useLoaded(() => readDocument(account), `${account} ${version}`);
}

let operations: Promise<Option[]> | undefined;

/** The operations of the document, to choose from by their ids; it is read once. */
export function useOperations(): readonly Option[] {
  return useLoaded(() => (operations ??= readOperations()), '').value ?? [];
}

async function readOperations(): Promise<Option[]> {
  try {
    const placed = operationsOf(await readDocument(NO_ACCOUNT));
    return placed.flatMap(({ operation: { operationId: id } }) => (id ? [[id, id]] : []));
  } catch (error) {
    operations = undefined;
    throw error;
  }
}

function readDocument(account: string): Promise<OpenApiDocument> {
  return call('/openapi.json', { account });
}
