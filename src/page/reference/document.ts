import { call, NO_ACCOUNT } from '../connection/call.js';
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
  readonly requestBody?: Body & { readonly required?: boolean };
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
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** The operations of the document, in its order. */
export function operationsOf({ paths }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The document in force for an account; it is loaded again when the version changes. */
export function useDocument(account: string, version = ''): Loaded<OpenApiDocument> {
  return useLoaded(() => readDocument(account), `${account} ${version}`);
}

let operationIds: Promise<string[]> | undefined;

/** The operations that the document has, by their ids; it is read once. */
export function useOperationIds(): readonly string[] {
  return useLoaded(() => (operationIds ??= readOperationIds()), '').value ?? [];
}

async function readOperationIds(): Promise<string[]> {
  try {
    const document = await readDocument(NO_ACCOUNT);
    return operationsOf(document).flatMap(({ operation: { operationId } }) => operationId ?? []);
  } catch (error) {
    operationIds = undefined;
    throw error;
  }
}

function readDocument(account: string): Promise<OpenApiDocument> {
  return call('/openapi.json', { account });
}
