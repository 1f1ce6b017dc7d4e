import type { OpenApiDocument } from '#spec';
import { call } from '../connection/call.js';
import { type Loaded, useLoaded } from '../parts/use-loaded.js';

type Operation = NonNullable<OpenApiDocument['paths'][string]['get']>;

export type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

/** A schema, or a reference to one. */
export type Schema = NonNullable<Parameter['schema']>;

/** What is sent or received, or a reference to it. */
export type Body = NonNullable<
  Operation['requestBody'] | NonNullable<Operation['responses']>[string]
>;

export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function placedOperations({ paths }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries<Operation>(Object(item)).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
}

/** The document in force for an account; loaded again when the version changes. */
export function useDocument(account: string, version = ''): Loaded<OpenApiDocument> {
  const load = () => call<OpenApiDocument>('/openapi.json', { account });
  return useLoaded(load, `${account} ${version}`, { keeps: true });
}
