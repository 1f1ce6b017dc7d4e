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
import { type Fixture, generateConfigOf } from './fixture/fixture.js';
import { recordsOf } from './fixture/records-of.js';
import { generateEvents } from './generate/events.js';
import { knownSums, type RecordGenerator } from './generate/generator.js';
import { generateMeasurements } from './generate/measurements.js';

/**
 * The hand-written and generated records of a fixture: frozen, shared by all accounts over it.
 *
 * @example
 * console.log(server.dataset.seed, server.dataset.measurements.size);
 */
export interface Dataset extends Bases {
  /** The seed of the generated records. */
  readonly seed: number;
}

/** What the records of a dataset follow from. */
export interface DatasetSource {
  /** The fixture, and before it those that it extends. */
  readonly layers: readonly Fixture[];
  readonly seed: number;
  readonly name: string;
}

/** The customers of a dataset. */
export interface DatasetCustomers {
  /** The hand-written ones, then those generated whose id no hand-written one has. */
  readonly all: readonly Customer[];
  /** All generated ones, the replaced ones too: their contracts stay. */
  readonly generated: readonly Customer[];
}

/** The seed that was given, or that of the last layer that has one, or 1. */
export function seedOf(layers: readonly Fixture[], givenSeed: number | undefined): number {
  return givenSeed ?? layers.findLast(({ seed }) => seed !== undefined)?.seed ?? 1;
}

/** The hand-written customers of all layers, and those that they generate. */
export function createCustomers(
  { layers, seed }: DatasetSource,
  generator: RecordGenerator,
): DatasetCustomers {
  const handWritten = recordsOf('customers', layers, seed);
  const handWrittenIds = new Set(handWritten.map(({ id }) => id));
  const generated = generator.customers(generateConfigOf(layers), seed);
  return {
    all: [...handWritten, ...generated.filter(({ id }) => !handWrittenIds.has(id))],
    generated,
  };
}

/**
 * Builds the records over the customers of `createCustomers`. The same layers and seed give the same
 * records, byte for byte, on every machine and every day.
 */
export function createDataset(
  source: DatasetSource,
  customers: DatasetCustomers,
  generator: RecordGenerator,
): Dataset {
  const { layers, seed, name } = source;
  const config = generateConfigOf(layers);
  const contracts = [
    ...recordsOf('contracts', layers, seed),
    ...generator.contracts(config, customers.generated, seed),
  ];
  const fingerprint = fingerprintOf(source);
  const sums = knownSums(fingerprint);
  return Object.freeze({
    seed,
    name,
    fingerprint,
    customers: createBase(keepRows(customers.all), INDEXES.customers),
    contracts: createBase(keepRows(contracts), INDEXES.contracts),
    measurements: overlay(
      { ...generateMeasurements(config, customers.all, seed), sum: sums.measurements },
      recordsOf('measurements', layers, seed),
      INDEXES.measurements,
    ),
    events: overlay(
      { ...generateEvents(config, customers.all, seed), sum: sums.events },
      recordsOf('events', layers, seed),
      INDEXES.events,
    ),
  });
}

/** Tells the records of one source from those of another, before they are built. */
export function fingerprintOf({ layers, seed }: DatasetSource): string {
  return hexHash(16, seed, JSON.stringify(layers.map(contentOf)));
}

/** The members of a layer that its records depend on. */
function contentOf({
  $schema,
  extends: base,
  accounts,
  decisions,
  stubs,
  seed,
  ...content
}: Fixture): object {
  return content;
}

/** Records over generated rows; one with the id of a row replaces it. */
function overlay<T extends { readonly id: string }>(
  rows: Rows<T>,
  records: readonly T[],
  indexes: Indexes<T>,
): Collection<T> {
  const collection = new Collection(createBase(cacheRecords(rows), indexes));
  for (const record of records) collection.put(deepFreeze(record));
  return collection;
}
