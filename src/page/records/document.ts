import type { OpenApiDocument } from '#spec';
import { call } from '../connection/call.js';
import { type Loaded, useLoaded } from '../parts/use-loaded.js';

type Operation = NonNullable<OpenApiDocument['paths'][string]['get']>;
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

/** A schema, or a reference to one. */
export type Schema = NonNullable<Parameter['schema']>;

/** The document in force for an account; loaded again when the version changes. */
export function useDocument(account: string, version = ''): Loaded<OpenApiDocument> {
  const load = () => call<OpenApiDocument>('/openapi.json', { account });
  return useLoaded(load, `${account} ${version}`, { keeps: true });
}
