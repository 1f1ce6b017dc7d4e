// Writes the TypeScript types of each document that has changed since they were written.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { writeGenerated } from './write-generated.mjs';

const TYPES = [
  { document: 'openapi.yaml', file: 'src/generated/openapi.ts', defaultNonNullable: true },
  // Callers of the control plane may leave out members that have a default.
  { document: 'control.openapi.yaml', file: 'src/generated/control.ts', defaultNonNullable: false },
];
const GENERATOR = 'node_modules/openapi-typescript/package.json';

for (const { document, file, defaultNonNullable } of TYPES) {
  const sum = createHash('sha256');
  for (const source of [document, GENERATOR]) sum.update(readFileSync(source));
  const head = `// Generated from ${document} (${sum.digest('hex')}); not to be edited.\n`;
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) continue;
  // Loading it takes half a second.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const types = await openapiTS(pathToFileURL(document), { defaultNonNullable });
  writeGenerated(file, `${head}\n${astToString(types)}`);
}
