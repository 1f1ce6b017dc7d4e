import { createBase, deepFreeze, type Indexes, keepRows, type Rows } from '../billing/base.js';
import { Collection } from '../billing/collection.js';
import { hexHash } from '../billing/hash.js';
import type { Customer, ResourceName, Resources } from '../billing/resources.js';
import { type Bases, INDEXES } from '../billing/store.js';
import { DEFAULT_WORLD, type Fixture, type World } from './fixture.js';
import { generateContracts } from './generate-contracts.js';
import { generateCustomers } from './generate-customers.js';
import { generateEvents } from './generate-events.js';
import { generateMeasurements } from './generate-measurements.js';
import { createFakerFor } from './seeded.js';

/** The records of a fixture and what it has generated: frozen, shared by all accounts over it. */
export interface Dataset extends Bases {
  /** The seed that the generated records came from. */
  readonly seed: number;
}

/** When a record was created that does not say so. */
const CREATED_AT = '2026-01-01T00:00:00.000Z';

/**
 * Builds the records of a fixture upon those of the fixtures that it extends, which come first. The
 * same fixtures and seed give the same records, byte for byte, on every machine and every day.
 */
export function createDataset(layers: readonly Fixture[], givenSeed?: number): Dataset {
  const seed = seedOf(layers, givenSeed);
  const world = worldOf(layers);
  const { cast, generated } = createCustomers(layers, seed);
  const customers = [...cast, ...generated];
  const contracts = [
    ...recordsOf('contracts', layers, seed),
    ...generateContracts(world, generated, seed, createFakerFor(seed)),
  ];
  return Object.freeze({
    seed,
    fingerprint: hexHash(16, seed, JSON.stringify(layers.map(contentOf))),
    customers: createBase(keepRows(customers), INDEXES.customers),
    contracts: createBase(keepRows(contracts), INDEXES.contracts),
    measurements: overlay(
      generateMeasurements(world, customers, seed),
      recordsOf('measurements', layers, seed),
      INDEXES.measurements,
    ),
    events: overlay(
      generateEvents(world, customers, seed),
      recordsOf('events', layers, seed),
      INDEXES.events,
    ),
  });
}

/** The customers written by hand, and those invented; a written one stands in for its like. */
export function createCustomers(
  layers: readonly Fixture[],
  givenSeed?: number,
): { readonly cast: readonly Customer[]; readonly generated: readonly Customer[] } {
  const seed = seedOf(layers, givenSeed);
  const cast = recordsOf('customers', layers, seed);
  const castIds = new Set(cast.map(({ id }) => id));
  const generated = generateCustomers(worldOf(layers), seed, createFakerFor(seed));
  return { cast, generated: generated.filter(({ id }) => !castIds.has(id)) };
}

/** The generate section that all layers make together; the last word on each member counts. */
export function worldOf(layers: readonly Fixture[]): World {
  return Object.assign({}, DEFAULT_WORLD, ...layers.map(({ generate }) => generate));
}

function seedOf(layers: readonly Fixture[], givenSeed: number | undefined): number {
  return givenSeed ?? layers.findLast(({ seed }) => seed !== undefined)?.seed ?? 1;
}

/** What the records of a layer depend on. */
function contentOf({ $schema, extends: base, accounts, seed, ...content }: Fixture): object {
  return content;
}

/** The records written by hand, completed; one with the id of an earlier layer's replaces that. */
function recordsOf<Name extends ResourceName>(
  resource: Name,
  layers: readonly Fixture[],
  seed: number,
): readonly Resources[Name][] {
  const records = layers.flatMap((layer, level) => {
    const written = (layer[resource] ?? []) as readonly Partial<Resources[Name]>[];
    return written.map((record, index) => {
      const id = hexHash(24, seed, 'fixture', resource, ...(level > 0 ? [level] : []), index);
      const createdAt = record.createdAt ?? CREATED_AT;
      return { id, ...record, createdAt, updatedAt: record.updatedAt ?? createdAt };
    });
  });
  return [...new Map(records.map((record) => [record.id, record])).values()] as Resources[Name][];
}

/** Records over generated rows; one with the id of a row stands in its place. */
function overlay<T extends { readonly id: string }>(
  rows: Rows<T>,
  records: readonly T[],
  indexes: Indexes<T>,
): Collection<T> {
  const collection = new Collection(createBase(rows, indexes));
  for (const record of records) collection.put(deepFreeze(record));
  return collection;
}
