import type { Contract, Customer } from '../../billing/resources.js';
import type { World } from '../fixture/fixture.js';
import { generateContracts } from './contracts.js';
import { generateCustomers } from './customers.js';
import { DRAWN } from './drawn.js';
import { createFakerFor } from './seeded.js';

/** Invents the customers of a world, and the contracts of these. */
export interface Inventor {
  customers(world: World, seed: number): readonly Customer[];
  contracts(world: World, customers: readonly Customer[], seed: number): readonly Contract[];
}

/** Thrown where records would have to be drawn that were not drawn before. */
export class NotDrawnError extends Error {}

/**
 * Has what the default dataset invents, and nothing for worlds that have nobody. Throws a
 * `NotDrawnError` for others.
 */
export const DRAWN_BEFORE: Inventor = {
  customers: (world, seed) => drawnFor(world, seed).customers,
  contracts: (world, _customers, seed) => drawnFor(world, seed).contracts,
};

/** Draws what any world invents. Takes faker, a fifth of all code, which is loaded for this alone. */
export async function loadInventor(): Promise<Inventor> {
  const { faker } = await import('@faker-js/faker/locale/en');
  return {
    customers: (world, seed) => generateCustomers(world, seed, createFakerFor(seed, faker)),
    contracts: (world, customers, seed) =>
      generateContracts(world, customers, seed, createFakerFor(seed, faker)),
  };
}

function drawnFor(world: World, seed: number): Pick<typeof DRAWN, 'customers' | 'contracts'> {
  if (world.customers === 0) return { customers: [], contracts: [] };
  const isSame =
    seed === DRAWN.seed &&
    world.from === DRAWN.world.from &&
    world.customers === DRAWN.world.customers &&
    world.contractsPerCustomer === DRAWN.world.contractsPerCustomer;
  if (!isSame) throw new NotDrawnError(`Nothing was drawn for the seed ${seed} and this world.`);
  return DRAWN;
}
