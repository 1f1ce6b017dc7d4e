import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { pointerTo } from '../errors/json-pointer.js';
import { isObject } from '../messages/is-object.js';
import { followReference } from '../openapi/references.js';

/** A schema of the document, with references in it. */
export type Schema = OpenAPIV3.SchemaObject;

/** A place in an answer that the document describes; it is the same for all items of a list. */
export interface Place {
  /** With `*` for any item of a list or name of a map. */
  readonly pointer: string;
  readonly schema: Schema;
  /** The names of the members that the document lists. */
  readonly listed: readonly string[];
  /** The place of a member or an item; undefined if the document does not describe it. */
  below(name: string): Place | undefined;
}

/** A value at its place. */
export interface Described {
  readonly place: Place;
  readonly value: unknown;
}

/** The place of what a schema describes; those below it are created when they are first needed. */
export function createPlace(
  given: Schema | OpenAPIV3.ReferenceObject | undefined,
  document: object,
  pointer = '',
): Place {
  const schema = followReference(given, document) ?? {};
  const { properties = {}, additionalProperties } = schema;
  const items = 'items' in schema ? schema.items : undefined;
  const each =
    items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  const listed = new Map<string, Place>();
  let any: Place | undefined;
  return {
    pointer,
    schema,
    listed: Object.keys(properties),
    below(name) {
      const known = listed.get(name);
      if (known) return known;
      if (Object.hasOwn(properties, name)) {
        const place = createPlace(properties[name], document, `${pointer}${pointerTo(name)}`);
        listed.set(name, place);
        return place;
      }
      any ??= each && createPlace(each, document, `${pointer}/*`);
      return any;
    },
  };
}

/** Visits the value and everything in it that the document describes. */
export function walk(place: Place, value: unknown, visit: (described: Described) => void): void {
  visit({ place, value });
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inside] of Object.entries(value)) {
    const below = place.below(name);
    if (below) walk(below, inside, visit);
  }
}

/** The names of a value's members that its schema does not list. */
export function unlistedIn({ place, value }: Described): readonly string[] {
  // What lists no members is a free map, or no object.
  if (!isObject(value) || place.listed.length === 0) return [];
  return Object.keys(value).filter((name) => !place.below(name));
}

/** The pointer to a part of a value, with `*` where the document gives no name. */
export function pointerBelow(place: Place, names: readonly string[]): string {
  const [name, ...rest] = names;
  const below = name === undefined ? undefined : place.below(name);
  return below ? pointerBelow(below, rest) : `${place.pointer}${'/*'.repeat(names.length)}`;
}
