// Draws what the default dataset invents, so that no start has to draw it, nor to load faker for it.
import { readFileSync, writeFileSync } from 'node:fs';
import { faker } from '@faker-js/faker/locale/en';
import { parse } from 'yaml';
import { worldOf } from '../src/datasets/fixture/fixture.js';
import { generateContracts } from '../src/datasets/generate/contracts.js';
import { generateCustomers } from '../src/datasets/generate/customers.js';
import { createFakerFor } from '../src/datasets/generate/seeded.js';

const fixture = parse(readFileSync('fixtures/default.yaml', 'utf8'));
const world = worldOf([fixture]);
const { seed } = fixture;
const fakerFor = createFakerFor(seed, faker);
const customers = generateCustomers(world, seed, fakerFor);
const contracts = generateContracts(world, customers, seed, fakerFor);

/** One record a line, so that a change of one is a change of one line. */
const list = (records: readonly object[]) =>
  `[\n${records.map((record) => `    ${JSON.stringify(record)},\n`).join('')}  ]`;

writeFileSync(
  'src/datasets/generate/drawn.ts',
  `// Generated from fixtures/default.yaml by npm run generate; not to be edited.
import type { Contract, Customer } from '../../billing/resources.js';
import type { World } from '../fixture/fixture.js';

/** The customers and contracts that the generate section of the default dataset invents. */
export const DRAWN: Readonly<{
  seed: number;
  world: World;
  customers: readonly Customer[];
  contracts: readonly Contract[];
}> = {
  seed: ${seed},
  world: ${JSON.stringify(world)},
  customers: ${list(customers)},
  contracts: ${list(contracts)},
};
`,
);
