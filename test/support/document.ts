import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** A part of the parsed document, untyped: the tests do not rely on generated types. */
type Part = ReturnType<typeof parse>;

/** The parsed `openapi.yaml`. */
export const openapi: Part = parse(readFileSync('openapi.yaml', 'utf8'));

/** Follows a local `$ref`. */
export function resolve(part: Part): Part {
  if (typeof part?.$ref !== 'string') return part;
  return part.$ref
    .split('/')
    .slice(1)
    .reduce((parent: Part, name: string) => parent[name], openapi);
}

/** Every operation of the document with its path and method. */
export const operations: readonly { path: string; method: string; operation: Part }[] =
  Object.entries<Part>(openapi.paths).flatMap(([path, item]) =>
    Object.entries<Part>(item).map(([method, operation]) => ({ path, method, operation })),
  );

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Validators by their schemas as text, since most documents in force have the same ones. */
const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value under a schema of a document; empty if it is valid. */
export function violationsOf(schema: Part, value: unknown, document = openapi): string[] {
  const whole = { components: document.components, ...schema };
  const key = JSON.stringify(whole);
  const validate = compiled.get(key) ?? ajv.compile(whole);
  compiled.set(key, validate);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
