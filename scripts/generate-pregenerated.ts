// Generates the customers and contracts of the default dataset, so that the mock starts without
// faker, and the checksums of its other records, so that a fingerprint need not read all of them.
import { readFileSync } from 'node:fs';
import { faker } from '@faker-js/faker/locale/en';
import { parse } from 'yaml';
import { INDEXES } from '../src/core/billing/resources.js';
import { createCustomers, fingerprintOf } from '../src/core/datasets/dataset.js';
import { generateConfigOf } from '../src/core/datasets/fixture/fixture.js';
import { generateContracts } from '../src/core/datasets/generate/contracts.js';
import { generateCustomers } from '../src/core/datasets/generate/customers.js';
import { generateEvents } from '../src/core/datasets/generate/events.js';
import { generateMeasurements } from '../src/core/datasets/generate/measurements.js';
import { createFakerFor } from '../src/core/datasets/generate/random-per-record.js';
import { createBase } from '../src/core/store/shared-records.js';
import { finish } from '../src/core/store/work-in-steps.js';
import { writeGenerated } from './write-generated.mjs';

const fixture = parse(readFileSync('fixtures/default.yaml', 'utf8'));
const config = generateConfigOf([fixture]);
const { seed } = fixture;
const fakerFor = createFakerFor(seed, faker);
const customers = generateCustomers(config, seed, fakerFor);
const contracts = generateContracts(config, customers, seed, fakerFor);

const source = { layers: [fixture], seed, name: 'default' };
const { all } = createCustomers(source, { customers: () => customers, contracts: () => contracts });
const sums = {
  measurements: finish(
    createBase(generateMeasurements(config, all, seed), INDEXES.measurements).summing(),
  ),
  events: finish(createBase(generateEvents(config, all, seed), INDEXES.events).summing()),
};

/** One record per line, so that changing one changes one line. */
const list = (records: readonly object[]) =>
  `[\n${records.map((record) => `    ${JSON.stringify(record)},\n`).join('')}  ]`;

writeGenerated(
  'src/generated/pregenerated.ts',
  `// Generated from fixtures/default.yaml by npm run generate; not to be edited.

/** The customers and contracts that the default dataset generates, and the sums of its other records. */
export const PREGENERATED = {
  fingerprint: '${fingerprintOf(source)}',
  sums: ${JSON.stringify(sums)} as const,
  seed: ${seed},
  config: ${JSON.stringify(config)},
  customers: ${list(customers)},
  contracts: ${list(contracts)},
};
`,
);
