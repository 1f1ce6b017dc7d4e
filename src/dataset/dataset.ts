import { createBase, keepRows } from '../billing/base.js';
import { hexHash } from '../billing/hash.js';
import type { Contract, Customer, Measurement, UsageEvent } from '../billing/resources.js';
import { type Bases, INDEXES } from '../billing/store.js';
import type { Fixture, GenerateSection } from './fixture.js';
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

const NOTHING: GenerateSection = { from: '2026-01-01', to: '2025-12-31' };

/** When a record was created that does not say so. */
const CREATED_AT = '2026-01-01T00:00:00.000Z';

/**
 * Builds the records of a fixture. The same fixture and seed give the same records, byte for byte,
 * on every machine and every day.
 */
export function createDataset(fixture: Fixture, seed = fixture.seed ?? 1): Dataset {
  const section = fixture.generate ?? NOTHING;
  const fakerFor = createFakerFor(seed);
  const cast = completeRecords<Customer>('customers', seed, fixture.customers);
  const generated = generateCustomers(section, seed, fakerFor);
  const customers = [...cast, ...generated];
  const contracts = [
    ...completeRecords<Contract>('contracts', seed, fixture.contracts),
    ...generateContracts(section, generated, seed, fakerFor),
  ];
  const measurements = [
    ...completeRecords<Measurement>('measurements', seed, fixture.measurements),
    ...generateMeasurements(section, customers, seed),
  ];
  const events = [
    ...completeRecords<UsageEvent>('events', seed, fixture.events),
    ...generateEvents(section, customers, seed, fakerFor),
  ];
  return Object.freeze({
    seed,
    fingerprint: hexHash(16, seed, JSON.stringify(fixture)),
    customers: createBase(keepRows(customers), INDEXES.customers),
    contracts: createBase(keepRows(contracts), INDEXES.contracts),
    measurements: createBase(keepRows(measurements), INDEXES.measurements),
    events: createBase(keepRows(events), INDEXES.events),
  });
}

interface Identified {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The records with an id and both stamps where the fixture leaves them out. */
function completeRecords<T extends Identified>(
  resource: string,
  seed: number,
  records: readonly Partial<T>[] = [],
): T[] {
  return records.map((record, index) => {
    const id = hexHash(24, seed, 'fixture', resource, index);
    const createdAt = record.createdAt ?? CREATED_AT;
    return { id, ...record, createdAt, updatedAt: record.updatedAt ?? createdAt } as T;
  });
}
