import type { Bases } from '../billing/account-store.js';
import {
  type Customer,
  INDEXES,
  RESOURCE_NAMES,
  type ResourceName,
  type Resources,
} from '../billing/resources.js';
import { Base } from '../store/base.js';
import { deepFreeze } from '../store/freeze.js';
import { hexHash } from '../store/hash.js';
import { sortableInstant } from '../values/time.js';
import { type Fixture, generateConfigOf, type Scenario } from './fixture/fixture.js';
import { generateEvents } from './generate/events.js';
import { generateMeasurements } from './generate/measurements.js';
import { knownOf, type RecordGenerator } from './generate/pregenerated-or-faker.js';

/**
 * The hand-written and generated records of a fixture: frozen, shared by all accounts over it.
 *
 * @example
 * console.log(server.dataset.seed, server.dataset.measurements.size);
 */
export interface Dataset extends Bases {
  /** Its scenarios, by name. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
}

/** What determines the records of a dataset. */
export interface DatasetSource {
  /** The fixture, preceded by those that it extends. */
  readonly layers: readonly Fixture[];
  readonly seed: number;
  readonly name: string;
  /** What a fixture that extends it has as `extends`; by default the name. */
  readonly source?: string;
}

/** The customers of a dataset. */
export interface DatasetCustomers {
  /**
   * The hand-written customers of the layers before the first `exact` one, then the generated ones
   * that these do not replace. Only these get generated usage.
   */
  readonly all: readonly Customer[];
  /** The customers of the first `exact` layer and of those after it. */
  readonly exact: readonly Customer[];
  /** All generated customers, including replaced ones, whose contracts stay. */
  readonly generated: readonly Customer[];
}

/** The given seed, or that of the last layer with one, or 1. */
export function seedOf(layers: readonly Fixture[], givenSeed: number | undefined): number {
  return givenSeed ?? layers.findLast(({ seed }) => seed !== undefined)?.seed ?? 1;
}

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

/** Splits layers at the first exact one. Exact layers keep their indexes, which ids depend on. */
function partsOf(layers: readonly Fixture[]): readonly [plain: Fixture[], exact: Fixture[]] {
  const found = layers.findIndex(({ exact }) => exact);
  const first = found < 0 ? layers.length : found;
  return [layers.slice(0, first), layers.map((layer, level) => (level < first ? {} : layer))];
}

/**
 * Builds a dataset with the customers of `createCustomers`. The same layers and seed give the same
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
  const fingerprint = fingerprintOf(source);
  const known = knownOf(fingerprint);
  const baseOf = <Name extends ResourceName>(
    resource: Name,
    make: (written: readonly Resources[Name][]) => readonly Resources[Name][],
  ) =>
    new Base<Resources[Name]>(
      INDEXES[resource],
      () => withChanges(resource, make(recordsOf(resource, plain, seed)), exact, seed),
      known?.[resource],
    );
  return Object.freeze({
    seed,
    name,
    source: source.source ?? name,
    keepsUndocumented: layers.some(({ undocumented }) => undocumented === 'keep'),
    fingerprint,
    scenarios: scenariosOf(source),
    customers: baseOf('customers', () => deepFreeze(customers.all)),
    contracts: baseOf('contracts', (written) => [
      ...written,
      ...deepFreeze(generator.contracts(config, customers.generated, seed)),
    ]),
    measurements: baseOf('measurements', (written) => [
      ...generateMeasurements(config, customers.all, seed),
      ...written,
    ]),
    events: baseOf('events', (written) => [
      ...generateEvents(config, customers.all, seed),
      ...written,
    ]),
  });
}

/** A hash that identifies the records and scenarios of a source before they are built. */
export function fingerprintOf({ layers, seed }: DatasetSource): string {
  return hexHash(16, seed, JSON.stringify(layers.map(contentOf)));
}

/** The members of a layer that its records and scenarios depend on. */
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

/**
 * The records by id, of several with one id the last, with what the exact layers remove and put. A
 * record keeps its place if a later layer puts it again.
 */
function withChanges<Name extends ResourceName>(
  resource: Name,
  plain: readonly Resources[Name][],
  layers: readonly Fixture[],
  seed: number,
): ReadonlyMap<string, Resources[Name]> {
  const records = new Map(plain.map((record) => [record.id, record]));
  const removed = new Set<string>();
  for (const [level, layer] of layers.entries()) {
    const { [resource]: gone = [] } = layer.removed ?? {};
    if (gone === 'all') records.clear();
    else for (const id of gone) removed.add(id);
    for (const record of recordsOf(resource, [...Array(level).fill({}), layer], seed)) {
      records.set(record.id, record);
      removed.delete(record.id);
    }
  }
  for (const id of removed) records.delete(id);
  return records;
}

/** The `createdAt` of a record without `timestamp`, unless its other timestamps are earlier. */
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
  return [...new Map(records.map((record) => [record.id, deepFreeze(record)])).values()];
}

/** The scenarios of all layers, with complete records; the last one with a name wins. */
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

/**
 * Fills in a missing id, made from the seed and the record's place, and a missing `createdAt` and
 * `updatedAt`.
 */
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

/** A `createdAt` that is not after `timestamp`, `updatedAt` and `deletedAt`. */
function createdBefore(record: object): string {
  const { timestamp = CREATED_AT, ...others } = record as {
    readonly [Name in 'timestamp' | 'updatedAt' | 'deletedAt']?: string;
  };
  let first = timestamp;
  for (const at of [others.updatedAt, others.deletedAt]) {
    if (at != null && sortableInstant(at) < sortableInstant(first)) first = at;
  }
  return first;
}
