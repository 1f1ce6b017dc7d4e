// Generates the customers and contracts of the default dataset, so that no start has to load faker.
import { readFileSync, writeFileSync } from 'node:fs';
import { faker } from '@faker-js/faker/locale/en';
import { parse } from 'yaml';
import { generateConfigOf } from '../src/datasets/fixture/fixture.js';
import { generateContracts } from '../src/datasets/generate/contracts.js';
import { generateCustomers } from '../src/datasets/generate/customers.js';
import { createFakerFor } from '../src/datasets/generate/seeded-random.js';

const fixture = parse(readFileSync('fixtures/default.yaml', 'utf8'));
const config = generateConfigOf([fixture]);
const { seed } = fixture;
const fakerFor = createFakerFor(seed, faker);
const customers = generateCustomers(config, seed, fakerFor);
const contracts = generateContracts(config, customers, seed, fakerFor);

/** One record a line, so that a change of one is a change of one line. */
const list = (records: readonly object[]) =>
  `[\n${records.map((record) => `    ${JSON.stringify(record)},\n`).join('')}  ]`;

writeFileSync(
  'src/datasets/generate/pregenerated.ts',
  `// Generated from fixtures/default.yaml by npm run generate; not to be edited.
import type { PregeneratedRecords } from './pregenerated-records.js';

/** The customers and contracts that the default dataset generates. */
export const PREGENERATED: PregeneratedRecords = {
  seed: ${seed},
  config: ${JSON.stringify(config)},
  customers: ${list(customers)},
  contracts: ${list(contracts)},
};
`,
);
