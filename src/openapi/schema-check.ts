import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** The rules that a value breaks; none if it matches the schema. */
export type SchemaCheck = (schema: object, value: unknown) => readonly ErrorObject[];

/**
 * For schemas of the package's documents, which the gate checks: to compile the schema of schemas
 * takes longer than any of them.
 */
export const CHECKED_SCHEMAS = { meta: false, validateSchema: false } as const;

/** Compiles each schema of a document when it is first needed. */
export function createSchemaCheck(components: object): SchemaCheck {
  const ajv = new Ajv({ ...CHECKED_SCHEMAS, strict: false, allErrors: true });
  addFormats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components });
    compiled.set(schema, validate);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}
