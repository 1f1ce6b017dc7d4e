// Measures a module in a fresh process:
// node child.mjs MODULE RECORDS DATASET OPERATION WARM-UP SECONDS
import { readFileSync } from 'node:fs';
import { measureFirstRequests, measureFirstResponse, measureRequests } from './measure.mjs';

const [module = '', file = '', dataset = '', operation = '', warmUp, seconds] =
  process.argv.slice(2);
const records = JSON.parse(readFileSync(file, 'utf8'));
/** @type {Record<string, () => Promise<Record<string, number>>>} */
const measures = {
  'first response': async () => ({ answered: await measureFirstResponse(module, records) }),
  'first 100 requests': async () => ({
    requests: await measureFirstRequests(module, records, dataset),
  }),
};
const measure =
  measures[operation] ??
  (() => measureRequests(module, records, dataset, operation, Number(warmUp), Number(seconds)));
process.stdout.write(JSON.stringify(await measure()), () => process.exit());
