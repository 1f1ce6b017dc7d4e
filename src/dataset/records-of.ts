import { hexHash } from '../billing/hash.js';
import type { ResourceName, Resources } from '../billing/resources.js';
import type { Fixture } from './fixture.js';

/** When a record was created that does not say so. */
const CREATED_AT = '2026-01-01T00:00:00.000Z';

/**
 * The records that fixtures have, with an id and both stamps where they leave them out. One with
 * the id of an earlier layer's replaces that.
 */
export function recordsOf<Name extends ResourceName>(
  resource: Name,
  layers: readonly Pick<Fixture, ResourceName>[],
  seed: number,
): readonly Resources[Name][] {
  const records = layers.flatMap((layer, level) => {
    const written = (layer[resource] ?? []) as readonly Partial<Resources[Name]>[];
    return written.map((record, index) => completeRecord(resource, record, seed, level, index));
  });
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

/** A record as it stands in the list of a layer, with an id and both stamps where it has none. */
export function completeRecord<Name extends ResourceName>(
  resource: Name,
  record: Partial<Resources[Name]>,
  seed: number,
  level: number,
  index: number,
): Resources[Name] {
  const id =
    record.id ?? hexHash(24, seed, 'fixture', resource, ...(level > 0 ? [level] : []), index);
  const createdAt = record.createdAt ?? createdBefore(record);
  const complete = { id, ...record, createdAt, updatedAt: record.updatedAt ?? createdAt };
  return complete as Resources[Name];
}

/** A stamp that fits the others of the record: an event is stored when it happens, at the latest. */
function createdBefore(record: object): string {
  const { timestamp = CREATED_AT, deletedAt = timestamp } = record as {
    readonly timestamp?: string;
    readonly deletedAt?: string;
  };
  return Date.parse(deletedAt) < Date.parse(timestamp) ? deletedAt : timestamp;
}
