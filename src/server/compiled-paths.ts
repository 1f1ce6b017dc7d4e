import type { ValidateFunction } from 'ajv';

/** What validates the parts of a path, by the keys under which express-openapi-validator looks it up. */
export type CompiledPath = Readonly<
  Record<'parameters' | 'bodies' | 'responses', Readonly<Record<string, ValidateFunction>>>
>;

/**
 * What validates the paths of `openapi.yaml`, by the digest of what the document says of each. Empty
 * here: the build replaces this file with what it compiles, which saves a start from compiling it.
 */
export const compiledPaths: Readonly<Record<string, (() => CompiledPath) | undefined>> = {};
