import { pointerTo } from '../errors/json-pointer.js';
import { followReference } from '../openapi/references.js';
import { isObject } from './exchange.js';

/** The part of an OpenAPI schema that says what is in a value. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
}

/** A value that a schema describes, at a pointer with `*` for any item of a list or name of a map. */
export interface Described {
  readonly pointer: string;
  readonly schema: Schema;
  readonly value: unknown;
}

/** Visits the value and everything in it that the schema describes. */
export function walk(
  part: Described,
  document: object,
  visit: (described: Described) => void,
): void {
  const { pointer, value } = part;
  const schema = followReference(part.schema, document) ?? {};
  visit({ pointer, schema, value });
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inside] of Object.entries(value)) {
    const below = schemaBelow(schema, name);
    if (!below) continue;
    const place = `${pointer}${below.name === '*' ? '/*' : pointerTo(below.name)}`;
    walk({ pointer: place, schema: below.schema, value: inside }, document, visit);
  }
}

/** The names of a value's members that its schema does not list. */
export function unlistedIn({ schema, value }: Described): readonly string[] {
  if (!isObject(value) || !schema.properties) return [];
  return Object.keys(value).filter((name) => !schemaBelow(schema, name));
}

/** The pointer to a part of a value, with `*` where the schema gives no name. */
export function pointerBelow(given: Schema, names: readonly string[], document: object): string {
  let schema: Schema | undefined = given;
  const shown = names.map((name) => {
    const below = schemaBelow(followReference(schema ?? {}, document) ?? {}, name);
    schema = below?.schema;
    return below?.name ?? '*';
  });
  return pointerTo(...shown);
}

function schemaBelow(
  { properties = {}, items, additionalProperties: others }: Schema,
  name: string,
): { readonly name: string; readonly schema: Schema } | undefined {
  const listed = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (listed) return { name, schema: listed };
  const each = items ?? (typeof others === 'object' ? others : undefined);
  return each && { name: '*', schema: each };
}
