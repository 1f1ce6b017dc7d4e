import type { Bases } from '../billing/account-store.js';
import { INDEXES } from '../billing/indexes.js';
import type { Customer } from '../billing/resources.js';
import { createBase } from '../store/base.js';
import { cacheRecords } from '../store/cache-records.js';
import { Collection } from '../store/collection.js';
import { deepFreeze } from '../store/freeze.js';
import { hexHash } from '../store/hash.js';
import type { Indexes } from '../store/index-rows.js';
import { keepRows, type Rows } from '../store/rows.js';
import { type Fixture, worldOf } from './fixture/fixture.js';
import { recordsOf } from './fixture/records-of.js';
import { generateEvents } from './generate/events.js';
import type { Inventor } from './generate/inventor.js';
import { generateMeasurements } from './generate/measurements.js';

/**
 * The records of a fixture and what it has generated: frozen, shared by all accounts over it.
 *
 * @example
 * console.log(server.dataset.seed, server.dataset.measurements.size);
 */
export interface Dataset extends Bases {
  /** The seed that the generated records came from. */
  readonly seed: number;
}

/**
 * Builds the records of a fixture upon those of the fixtures that it extends, which come first. The
 * same fixtures and seed give the same records, byte for byte, on every machine and every day.
 */
export function createDataset(
  layers: readonly Fixture[],
  inventor: Inventor,
  givenSeed?: number,
  { cast, generated, invented } = createCustomers(layers, inventor, givenSeed),
): Dataset {
  const seed = seedOf(layers, givenSeed);
  const world = worldOf(layers);
  const customers = [...cast, ...generated];
  const contracts = [
    ...recordsOf('contracts', layers, seed),
    ...inventor.contracts(world, invented, seed),
  ];
  return Object.freeze({
    seed,
    fingerprint: fingerprintOf(layers, givenSeed),
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

/** What tells the records of these fixtures from others, before they are built. */
export function fingerprintOf(layers: readonly Fixture[], givenSeed?: number): string {
  return hexHash(16, seedOf(layers, givenSeed), JSON.stringify(layers.map(contentOf)));
}

/** The customers of a world. */
export interface WorldCustomers {
  /** Those written by hand. */
  readonly cast: readonly Customer[];
  /** Those invented that none written by hand stands in for. */
  readonly generated: readonly Customer[];
  /** All that were invented, the replaced ones too: their contracts stay. */
  readonly invented: readonly Customer[];
}

/** The customers written by hand, and those invented. */
export function createCustomers(
  layers: readonly Fixture[],
  inventor: Inventor,
  givenSeed?: number,
): WorldCustomers {
  const seed = seedOf(layers, givenSeed);
  const cast = recordsOf('customers', layers, seed);
  const castIds = new Set(cast.map(({ id }) => id));
  const invented = inventor.customers(worldOf(layers), seed);
  return { cast, generated: invented.filter(({ id }) => !castIds.has(id)), invented };
}

function seedOf(layers: readonly Fixture[], givenSeed: number | undefined): number {
  return givenSeed ?? layers.findLast(({ seed }) => seed !== undefined)?.seed ?? 1;
}

/** What the records of a layer depend on. */
function contentOf({
  $schema,
  extends: base,
  accounts,
  decisions,
  seed,
  ...content
}: Fixture): object {
  return content;
}

/** Records over generated rows; one with the id of a row stands in its place. */
function overlay<T extends { readonly id: string }>(
  rows: Rows<T>,
  records: readonly T[],
  indexes: Indexes<T>,
): Collection<T> {
  const collection = new Collection(createBase(cacheRecords(rows), indexes));
  for (const record of records) collection.put(deepFreeze(record));
  return collection;
}
