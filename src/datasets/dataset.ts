import type { Bases } from '../billing/account-store.js';
import {
  type Customer,
  INDEXES,
  RESOURCE_NAMES,
  type ResourceName,
  type Resources,
} from '../billing/resources.js';
import { SharedCollection } from '../store/collection.js';
import { deepFreeze } from '../store/freeze.js';
import { hexHash } from '../store/hash.js';
import {
  type Base,
  cacheRecords,
  createBase,
  type Indexes,
  keepRows,
  type Rows,
} from '../store/shared-records.js';
import { type Fixture, generateConfigOf, type Scenario } from './fixture/fixture.js';
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
  /** Its scenarios by their names. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
}

/** What the records of a dataset follow from. */
export interface DatasetSource {
  /** The fixture, and before it those that it extends. */
  readonly layers: readonly Fixture[];
  readonly seed: number;
  readonly name: string;
  /** What a fixture that extends it says; the name if left out. */
  readonly source?: string;
}

/** The customers of a dataset. */
export interface DatasetCustomers {
  /** The hand-written ones, then those generated whose id no hand-written one has; all have usage. */
  readonly all: readonly Customer[];
  /** Those of exact fixtures, which change what was generated. */
  readonly exact: readonly Customer[];
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
  const [plain, exact] = partsOf(layers);
  const handWritten = recordsOf('customers', plain, seed);
  const handWrittenIds = new Set(handWritten.map(({ id }) => id));
  const generated = generator.customers(generateConfigOf(layers), seed);
  return {
    all: [...handWritten, ...generated.filter(({ id }) => !handWrittenIds.has(id))],
    exact: recordsOf('customers', exact, seed),
    generated,
  };
}

/** The layers before the first exact one, and the others in their places. */
function partsOf(layers: readonly Fixture[]): readonly [plain: Fixture[], exact: Fixture[]] {
  const found = layers.findIndex(({ exact }) => exact);
  const first = found < 0 ? layers.length : found;
  return [layers.slice(0, first), layers.map((layer, level) => (level < first ? {} : layer))];
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
  const [plain, exact] = partsOf(layers);
  const config = generateConfigOf(layers);
  const contracts = [
    ...recordsOf('contracts', plain, seed),
    ...generator.contracts(config, customers.generated, seed),
  ];
  const fingerprint = fingerprintOf(source);
  const sums = knownSums(fingerprint);
  const changed = <Name extends ResourceName>(resource: Name, base: Base<Resources[Name]>) =>
    withChanges(resource, base, exact, seed);
  return Object.freeze({
    seed,
    name,
    source: source.source ?? name,
    keepsUndocumented: layers.some(({ undocumented }) => undocumented === 'keep'),
    fingerprint,
    scenarios: scenariosOf(source),
    customers: changed('customers', createBase(keepRows(customers.all), INDEXES.customers)),
    contracts: changed('contracts', createBase(keepRows(contracts), INDEXES.contracts)),
    measurements: changed(
      'measurements',
      overlay(
        { ...generateMeasurements(config, customers.all, seed), sum: sums.measurements },
        recordsOf('measurements', plain, seed),
        INDEXES.measurements,
      ),
    ),
    events: changed(
      'events',
      overlay(
        { ...generateEvents(config, customers.all, seed), sum: sums.events },
        recordsOf('events', plain, seed),
        INDEXES.events,
      ),
    ),
  });
}

/** Tells the records of one source from those of another, before they are built. */
export function fingerprintOf({ layers, seed }: DatasetSource): string {
  return hexHash(16, seed, JSON.stringify(layers.map(contentOf)));
}

/** The members of a layer that determine its records. */
function contentOf({
  $schema,
  digest,
  extends: base,
  accounts,
  decisions,
  stubs,
  seed,
  ...content
}: Fixture): object {
  return content;
}

/** The records as the exact layers change them. */
function withChanges<Name extends ResourceName>(
  resource: Name,
  base: Base<Resources[Name]>,
  layers: readonly Fixture[],
  seed: number,
): Base<Resources[Name]> {
  const changed = new SharedCollection(base);
  for (const [level, layer] of layers.entries()) {
    for (const id of layer.removed?.[resource] ?? []) changed.remove(id);
    const records = recordsOf(resource, [...Array(level).fill({}), layer], seed);
    for (const record of records) changed.put(deepFreeze(record));
  }
  return changed.changeCount > 0 ? changed : base;
}

/** Records over generated rows; one with the id of a row replaces it. */
function overlay<T extends { readonly id: string }>(
  rows: Rows<T>,
  records: readonly T[],
  indexes: Indexes<T>,
): Base<T> {
  const collection = new SharedCollection(createBase(cacheRecords(rows), indexes));
  for (const record of records) collection.put(deepFreeze(record));
  return collection;
}

/** The `createdAt` of a record without one. */
const CREATED_AT = '2026-01-01T00:00:00.000Z';

/**
 * The hand-written records of all layers, with missing ids and timestamps filled in. A record
 * replaces that of an earlier layer with the same id.
 */
function recordsOf<Name extends ResourceName>(
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

/** The scenarios of all layers, of each name the last, with complete records. */
function scenariosOf({ layers, seed }: DatasetSource): ReadonlyMap<string, Scenario> {
  const all = layers.flatMap(({ scenarios = {} }) => Object.entries(scenarios));
  return new Map(
    all.map(([name, scenario]) => {
      const lists = RESOURCE_NAMES.map((resource) => {
        const written: readonly object[] = scenario[resource] ?? [];
        return [
          resource,
          written.map((record, index) => completeRecord(resource, record, seed, name, index)),
        ];
      });
      return [name, deepFreeze({ ...scenario, ...Object.fromEntries(lists) })];
    }),
  );
}

/** A record at an index of the list of a layer or scenario, with a missing id and missing timestamps filled in. */
export function completeRecord<Name extends ResourceName>(
  resource: Name,
  record: Partial<Resources[Name]>,
  seed: number,
  level: number | string,
  index: number,
): Resources[Name] {
  const id =
    record.id ?? hexHash(24, seed, 'fixture', resource, ...(level === 0 ? [] : [level]), index);
  const createdAt = record.createdAt ?? createdBefore(record);
  const complete = { id, ...record, createdAt, updatedAt: record.updatedAt ?? createdAt };
  return complete as Resources[Name];
}

/** A timestamp that fits the others of the record: no event is stored later than it is deleted. */
function createdBefore(record: object): string {
  const { timestamp = CREATED_AT, deletedAt = timestamp } = record as {
    readonly timestamp?: string;
    readonly deletedAt?: string;
  };
  return Date.parse(deletedAt) < Date.parse(timestamp) ? deletedAt : timestamp;
}
