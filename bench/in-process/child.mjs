// A fresh process: node child.mjs MODULE RECORDS DATASET SECONDS OPERATION
import { readFileSync } from 'node:fs';
import { measureFirstAnswer, measureRequests } from './measure.mjs';

const [module, file, dataset, seconds, operation] = process.argv.slice(2);
const records = JSON.parse(readFileSync(file, 'utf8'));
const figure =
  operation === 'first answer'
    ? await measureFirstAnswer(module, records)
    : await measureRequests(module, records, dataset, operation, Number(seconds));
process.stdout.write(String(figure), () => process.exit());
