import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import {
  followReference,
  type OpenApiDocument,
  type OperationId,
  operationsOf,
  successOf,
} from '#spec';
import { isObject, pointerTo } from '../../../core/values/json-value.js';
import { isOfAccount, type Members, type Sample, successBody } from './samples.js';

/** The account's samples, and the document to compare them with. */
export interface SeenData {
  readonly samples: readonly Sample[];
  readonly document: OpenApiDocument;
}

/** A schema of the document, which may contain references. */
type Schema = OpenAPIV3.SchemaObject;

/** A place in a response that the document describes; all items of a list share one. */
export interface Place {
  /** A JSON pointer, with `*` for any item of a list or name of a map. */
  readonly pointer: string;
  readonly schema: Schema;
  /** The names of the members that the document lists. */
  readonly listed: readonly string[];
  /** The place of a member or an item; undefined if the document does not describe it. */
  below(name: string): Place | undefined;
}

export interface Described {
  readonly place: Place;
  readonly value: unknown;
}

/** A record of a response: the one in the envelope, or an item of the list in it. */
export interface SeenRecord {
  readonly sample: Sample;
  /** The member of the envelope: `customer`, `measurements`. */
  readonly envelope: string;
  readonly value: Members;
  /** Where it is in the response, `*` for an item of a list: `/measurements/*`. */
  readonly pointer: string;
  /** The record's place, with pointers that start at the record. */
  readonly place: Place;
}

/** The records in the account's successful responses, each as often as it was seen. */
export function recordsOf({ samples, document }: SeenData): readonly SeenRecord[] {
  return samples.filter(isOfAccount).flatMap((sample) => {
    const body = successBody(sample);
    if (!body) return [];
    const whole = successPlaceOf(sample.request.operationId, document);
    return whole.listed.flatMap((envelope) => {
      const member = whole.below(envelope);
      const whereabouts = member?.below('0') ?? member;
      const place = createPlace(whereabouts?.schema, document);
      const pointer = whereabouts?.pointer ?? '';
      const records = [body[envelope]].flat().filter(isObject);
      return records.map((value) => ({ sample, envelope, value, pointer, place }));
    });
  });
}

/** The place of the body of an operation's success, whatever its status. */
export function successPlaceOf(operationId: OperationId, document: OpenApiDocument): Place {
  const { response } = successOf(operationOf(operationId, document));
  return placeOfJson(followReference(response, document), document);
}

function operationOf(operationId: OperationId, document: OpenApiDocument) {
  return operationsOf(document).find((one) => one.operationId === operationId) ?? {};
}

function placeOfJson(
  message: Pick<OpenAPIV3.ResponseObject, 'content'> | undefined,
  document: OpenApiDocument,
): Place {
  return createPlace(message?.content?.['application/json']?.schema, document);
}

/** Creates the places below this one on first use. */
function createPlace(
  given: Schema | OpenAPIV3.ReferenceObject | undefined,
  document: object,
  pointer = '',
): Place {
  const schema = followReference(given, document) ?? {};
  const { properties = {}, additionalProperties } = schema;
  const items = 'items' in schema ? schema.items : undefined;
  const each =
    items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  const places = new Map<string, Place>();
  return {
    pointer,
    schema,
    listed: Object.keys(properties),
    below(name) {
      const isListed = Object.hasOwn(properties, name);
      const part = isListed ? pointerTo(name) : '/*';
      const below = isListed ? properties[name] : each;
      if (below === undefined) return undefined;
      const place = places.get(part) ?? createPlace(below, document, `${pointer}${part}`);
      places.set(part, place);
      return place;
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

export function unlistedIn({ place, value }: Described): readonly string[] {
  // A schema without listed members describes a map, or no object at all.
  if (!isObject(value) || place.listed.length === 0) return [];
  return Object.keys(value).filter((name) => !place.below(name));
}

/** The pointer to a part of a value, with `*` where the document gives no name. */
export function pointerBelow(place: Place, names: readonly string[]): string {
  const [name, ...rest] = names;
  const below = name === undefined ? undefined : place.below(name);
  return below ? pointerBelow(below, rest) : `${place.pointer}${'/*'.repeat(names.length)}`;
}
