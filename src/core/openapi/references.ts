import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { valueAt } from '../values/json-value.js';

interface Reference {
  readonly $ref: string;
}

/**
 * Follows a reference such as `#/components/schemas/Customer`, and any that it leads to. Returns
 * any other value as it is.
 */
export function followReference<Value>(
  value: Value,
  document: object,
): Exclude<Value, Reference> | undefined {
  if (!isReference(value)) return value as Exclude<Value, Reference>;
  return followReference(valueAt(document, value.$ref) as Value, document);
}

export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$ref' in value;
}

type Schema = OpenAPIV3.SchemaObject;
type Given = Schema | OpenAPIV3.ReferenceObject | undefined;

/**
 * The schema of a value within the `body`, the `query` or the `path`; undefined if there is none.
 */
export type SchemaAt = (place: string, names: readonly string[]) => Schema | undefined;

const INDEX = /^\d+$/;

export function createSchemaAt(
  { components }: OpenAPIV3.DocumentV3,
  { parameters = [], requestBody }: OpenAPIV3.OperationObject,
): SchemaAt {
  const resolve = (given: Given): Schema | undefined => followReference(given, { components });

  function within(schema: Schema | undefined, name: string): Schema | undefined {
    if (schema?.type === 'array') return INDEX.test(name) ? resolve(schema.items) : undefined;
    const { properties = {}, additionalProperties: others } = schema ?? {};
    if (Object.hasOwn(properties, name)) return resolve(properties[name]);
    return typeof others === 'object' ? resolve(others) : undefined;
  }

  function whole(place: string): Schema | undefined {
    if (place === 'body') return resolve(bodySchemaOf(requestBody));
    const inPlace = parameters.filter((one) => 'in' in one && one.in === place);
    const properties = inPlace.map((one) => [
      'name' in one && one.name,
      'schema' in one && one.schema,
    ]);
    return { properties: Object.fromEntries(properties) };
  }

  return (place, names) => names.reduce(within, whole(place));
}

function bodySchemaOf(body: OpenAPIV3.OperationObject['requestBody']): Given {
  return body && 'content' in body ? body.content['application/json']?.schema : undefined;
}
