import type { Contract, Customer } from '../../billing/resources.js';
import type { GenerateConfig } from '../fixture/fixture.js';
import { generateContracts } from './contracts.js';
import { generateCustomers } from './customers.js';
import { PREGENERATED } from './pregenerated.js';
import { createFakerFor } from './seeded-random.js';

/** Invents the customers of a config, and the contracts of these. */
export interface RecordGenerator {
  customers(config: GenerateConfig, seed: number): readonly Customer[];
  contracts(
    config: GenerateConfig,
    customers: readonly Customer[],
    seed: number,
  ): readonly Contract[];
}

/** Thrown where records would have to be drawn that were not drawn before. */
export class NotDrawnError extends Error {}

/**
 * Has what the default dataset invents, and nothing for worlds that have nobody. Throws a
 * `NotDrawnError` for others.
 */
export const PREGENERATED_ONLY: RecordGenerator = {
  customers: (config, seed) => drawnFor(config, seed).customers,
  contracts: (config, _customers, seed) => drawnFor(config, seed).contracts,
};

/** Draws what any config invents. Takes faker, a fifth of all code, which is loaded for this alone. */
export async function loadGenerator(): Promise<RecordGenerator> {
  const { faker } = await import('@faker-js/faker/locale/en');
  return {
    customers: (config, seed) => generateCustomers(config, seed, createFakerFor(seed, faker)),
    contracts: (config, customers, seed) =>
      generateContracts(config, customers, seed, createFakerFor(seed, faker)),
  };
}

function drawnFor(
  config: GenerateConfig,
  seed: number,
): Pick<typeof PREGENERATED, 'customers' | 'contracts'> {
  if (config.customers === 0) return { customers: [], contracts: [] };
  const isSame =
    seed === PREGENERATED.seed &&
    config.from === PREGENERATED.config.from &&
    config.customers === PREGENERATED.config.customers &&
    config.contractsPerCustomer === PREGENERATED.config.contractsPerCustomer;
  if (!isSame) throw new NotDrawnError(`Nothing was drawn for the seed ${seed} and this config.`);
  return PREGENERATED;
}
