import type { ValidateFunction } from 'ajv';

/** The validators of a path, by the keys under which express-openapi-validator looks them up. */
export type CompiledPath = Readonly<
  Record<'parameters' | 'bodies' | 'responses', Readonly<Record<string, ValidateFunction>>>
>;

/**
 * The validators of each path of `openapi.yaml`, by a digest of its path item. Empty in the
 * sources: the build replaces this file with compiled validators, so that a start need not compile
 * them.
 */
export const compiledPaths: Readonly<Record<string, (() => CompiledPath) | undefined>> = {};
