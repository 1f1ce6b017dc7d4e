// Writes whatever follows from the documents, the tables in the code and the pages. In one process, which
// imports what a step reads only after the steps before it have written that.
await import('./generate-operations.js');
await import('./generate-names.js');
await import('./generate-types.js');
await import('./generate-stub-schema.js');
await import('./generate-pregenerated.js');
await import('./generate-docs.js');
await import('./generate-fixture-schema.js');

export {};
