// Writes all generated files, in one process that imports each step only after the steps before it
// have written what it reads.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

for (const document of ['openapi.yaml', 'control.openapi.yaml']) {
  try {
    parse(readFileSync(document, 'utf8'));
  } catch (error) {
    // An alias before its anchor comes without a place.
    console.error(`${document}: ${(error as Error).message}`);
    process.exit(1);
  }
}

await import('./generate-responses.js');
await import('./generate-faults.js');
await import('./generate-operations.js');
await import('./generate-types.mjs');
await import('./generate-stub-schema.js');
await import('./generate-pregenerated.js');
await import('./generate-docs.js');
await import('./generate-fixture-schema.js');
