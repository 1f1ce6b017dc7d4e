// A file of jest: how long until its first response, imports included.
import { readFileSync, writeFileSync } from 'node:fs';
import { measureFirstResponse } from '../measure.mjs';

const {
  BENCH_MODULE: module = '',
  BENCH_RECORDS: file = '',
  BENCH_RESULT: result = '',
} = process.env;
const records = JSON.parse(readFileSync(file, 'utf8'));

test('answers', async () => {
  writeFileSync(result, String(await measureFirstResponse(module, records)));
});
