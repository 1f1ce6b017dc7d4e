// Generates the customers and contracts of the default dataset, so that the mock starts without
// faker, and the sizes and checksums of datasets, so that an account is described without records.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { RESOURCE_NAMES } from '../src/core/billing/resources.js';
import { createCustomers, createDataset, fingerprintOf } from '../src/core/datasets/dataset.js';
import { generateConfigOf } from '../src/core/datasets/fixture/fixture.js';
import { loadGenerator } from '../src/core/datasets/generate/pregenerated-or-faker.js';
import { sumOf } from '../src/core/store/hash.js';
import { writeGenerated } from './write-generated.mjs';

const generator = await loadGenerator();
const sourceOf = (name: string) => {
  const fixture = parse(readFileSync(`fixtures/${name}.yaml`, 'utf8'));
  return { layers: [fixture], seed: fixture.seed as number, name };
};
const { layers, seed } = sourceOf('default');
const config = generateConfigOf(layers);
const customers = generator.customers(config, seed);
const contracts = generator.contracts(config, customers, seed);

/** The sizes and sums of datasets, counted in their records and not in what the build knew before. */
const known = ['default', 'large'].map((name) => {
  const source = sourceOf(name);
  const dataset = createDataset(source, createCustomers(source, generator), generator);
  const ofResources = RESOURCE_NAMES.map((resource) => {
    const records = [...dataset[resource]];
    return [resource, { size: records.length, sum: sumOf(records) }];
  });
  return [fingerprintOf(source), Object.fromEntries(ofResources)];
});

/** One entry per line, so that changing one changes one line. */
const list = (entries: readonly object[]) =>
  `[\n${entries.map((entry) => `    ${JSON.stringify(entry)},\n`).join('')}  ]`;

writeGenerated(
  'src/generated/pregenerated.ts',
  `// Generated from fixtures/ by npm run generate; not to be edited.

interface Known {
  readonly size: number;
  readonly sum: readonly [number, number, number, number];
}

/** The customers and contracts that the default dataset generates, and what is known of datasets. */
export const PREGENERATED = {
  /** By the fingerprints of the datasets. */
  known: new Map<string, Record<'customers' | 'contracts' | 'measurements' | 'events', Known>>(${list(known)}),
  seed: ${seed},
  config: ${JSON.stringify(config)},
  customers: ${list(customers)},
  contracts: ${list(contracts)},
};
`,
);
