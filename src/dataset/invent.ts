import type { Contract, Customer } from '../billing/resources.js';
import { DRAWN } from '../generated/drawn.js';
import type { World } from './fixture.js';
import { generateContracts } from './generate-contracts.js';
import { generateCustomers } from './generate-customers.js';
import { createFakerFor } from './seeded.js';

/** The customers that a world invents. Those of the default dataset are not drawn at every start. */
export function inventCustomers(world: World, seed: number): readonly Customer[] {
  return drawn(world, seed)?.customers ?? generateCustomers(world, seed, createFakerFor(seed));
}

/** The contracts of the customers that the same world has invented. */
export function inventContracts(
  world: World,
  customers: readonly Customer[],
  seed: number,
): readonly Contract[] {
  return (
    drawn(world, seed)?.contracts ?? generateContracts(world, customers, seed, createFakerFor(seed))
  );
}

function drawn(world: World, seed: number): typeof DRAWN | undefined {
  const { from, customers, contractsPerCustomer } = DRAWN.world;
  const isSame =
    seed === DRAWN.seed &&
    world.from === from &&
    world.customers === customers &&
    world.contractsPerCustomer === contractsPerCustomer;
  return isSame ? DRAWN : undefined;
}
