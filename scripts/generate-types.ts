// Writes the TypeScript types of both documents.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

async function writeTypes(document: string, file: string, defaultNonNullable: boolean) {
  const types = await openapiTS(pathToFileURL(document), { defaultNonNullable });
  writeFileSync(file, COMMENT_HEADER + astToString(types));
}

await writeTypes('openapi.yaml', 'src/generated/openapi.ts', true);
// Callers of the control plane may leave out members that have a default.
await writeTypes('control.openapi.yaml', 'src/generated/control.ts', false);
