// Writes all generated files, in one process that imports each step only after the steps before it
// have written what it reads.
await import('./generate-responses.js');
await import('./generate-faults.js');
await import('./generate-operations.js');
await import('./generate-types.mjs');
await import('./generate-stub-schema.js');
await import('./generate-pregenerated.js');
await import('./generate-docs.js');
await import('./generate-fixture-schema.js');

export {};
