// A fresh process: node child.mjs MODULE RECORDS DATASET OPERATION WARM-UP SECONDS
import { readFileSync } from 'node:fs';
import { measureFirstAnswer, measureRequests } from './measure.mjs';

const [module = '', file = '', dataset = '', operation = '', warmUp, seconds] =
  process.argv.slice(2);
const records = JSON.parse(readFileSync(file, 'utf8'));
const figures =
  operation === 'first answer'
    ? { answered: await measureFirstAnswer(module, records) }
    : await measureRequests(module, records, dataset, operation, Number(warmUp), Number(seconds));
process.stdout.write(JSON.stringify(figures), () => process.exit());
