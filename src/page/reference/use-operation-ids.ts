import { call } from '../connection/call.js';
import { useLoaded } from '../parts/use-loaded.js';
import { type OpenApiDocument, operationsOf } from './document.js';

let reading: Promise<readonly string[]> | undefined;

/** The operations that the document has, by their ids; it is read once. */
export function useOperationIds(): readonly string[] {
  return useLoaded(() => (reading ??= readIds()), '').value ?? [];
}

async function readIds(): Promise<readonly string[]> {
  try {
    const document = await call<OpenApiDocument>('/openapi.json?of=server');
    return operationsOf(document).flatMap(({ operation: { operationId } }) => operationId ?? []);
  } catch (error) {
    reading = undefined;
    throw error;
  }
}
