import { PREGENERATED } from '../../../generated/pregenerated.js';
import type { Contract, Customer, ResourceName } from '../../billing/resources.js';
import type { Known } from '../../store/base.js';
import type { GenerateConfig } from '../fixture/fixture.js';
import { generateContracts } from './contracts.js';
import { generateCustomers } from './customers.js';
import { createFakerFor } from './random-per-record.js';

export interface RecordGenerator {
  customers(config: GenerateConfig, seed: number): readonly Customer[];
  contracts(
    config: GenerateConfig,
    customers: readonly Customer[],
    seed: number,
  ): readonly Contract[];
}

/** True if the build has generated this section's customers and contracts, or there are none. */
export function isPregenerated(config: GenerateConfig, seed: number): boolean {
  return (
    config.customers === 0 ||
    (seed === PREGENERATED.seed &&
      config.from === PREGENERATED.config.from &&
      config.to === PREGENERATED.config.to &&
      config.customers === PREGENERATED.config.customers &&
      config.contractsPerCustomer === PREGENERATED.config.contractsPerCustomer)
  );
}

/** Returns what the build has generated; throws for a section that is not `isPregenerated`. */
export const PREGENERATED_ONLY: RecordGenerator = {
  customers: (config, seed) => pregeneratedFor(config, seed).customers,
  contracts: (config, _customers, seed) => pregeneratedFor(config, seed).contracts,
};

/** Loads the generators, which few fixtures need: faker is a fifth of all code. */
export async function loadGenerator(): Promise<RecordGenerator> {
  const { faker } = await import('@faker-js/faker/locale/en');
  return {
    customers: (config, seed) => generateCustomers(config, seed, createFakerFor(seed, faker)),
    contracts: (config, customers, seed) =>
      generateContracts(config, customers, seed, createFakerFor(seed, faker)),
  };
}

/** The sizes and sums of a dataset's collections, if the build has computed them. */
export function knownOf(fingerprint: string): Readonly<Record<ResourceName, Known>> | undefined {
  return PREGENERATED.known.get(fingerprint);
}

function pregeneratedFor(config: GenerateConfig, seed: number) {
  if (!isPregenerated(config, seed)) throw new Error(`Faker is needed for the seed ${seed}.`);
  return config.customers === 0 ? { customers: [], contracts: [] } : PREGENERATED;
}
