import { call } from '../connection/call.js';
import { type Loaded, useLoaded } from '../parts/use-loaded.js';

/** The parts of a schema that the page reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly example?: object | string | number;
}

export interface Parameter extends Pick<Schema, '$ref' | 'description' | 'example'> {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Content extends Pick<Schema, 'example'> {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface Body extends Pick<Schema, '$ref' | 'description'> {
  readonly content?: Readonly<Record<string, Content>>;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}

/** The parts of an OpenAPI document that the page reads. */
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
  const [, ...names] = part.$ref.split('/');
  const member = (parent: unknown, name: string) => (parent as Record<string, unknown>)[name];
  return names.reduce<unknown>(member, document) as Part;
}

export type PlacedOperation = ReturnType<typeof operationsOf>[number];

export function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The document in force for an account; loaded again when the version changes. */
export function useDocument(account: string, version = ''): Loaded<OpenApiDocument> {
  const load = () => call<OpenApiDocument>('/openapi.json', { account });
  return useLoaded(load, `${account} ${version}`, { keeps: true });
}
