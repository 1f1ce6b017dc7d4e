// A file of jest: how long until its first answer, imports included.
import { readFileSync, writeFileSync } from 'node:fs';
import { measureFirstAnswer } from '../measure.mjs';

const {
  BENCH_MODULE: module = '',
  BENCH_RECORDS: file = '',
  BENCH_RESULT: result = '',
} = process.env;
const records = JSON.parse(readFileSync(file, 'utf8'));

test('answers', async () => {
  writeFileSync(result, String(await measureFirstAnswer(module, records)));
});
