import { call } from '../connection/call.js';
import { type Loaded, useLoaded } from '../parts/use-loaded.js';
import type { OpenApiDocument } from '../reference/document.js';
import { SchemaList } from '../reference/schema-list.js';
import type { Collection } from './collections.js';

interface SchemaProps {
  readonly account: string;
  readonly collection: Collection;
}

/** The document in force for an account. */
export function useDocument(account: string): Loaded<OpenApiDocument> {
  return useLoaded(() => call<OpenApiDocument>('/openapi.json', { account }), account);
}

/** What the records of a collection have. */
export function CollectionSchema({ account, collection }: SchemaProps) {
  const { value } = useDocument(account);
  if (!value) return null;
  return (
    <details>
      <summary>Schema</summary>
      <SchemaList document={value} schema={{ $ref: `#/components/schemas/${collection.schema}` }} />
    </details>
  );
}
