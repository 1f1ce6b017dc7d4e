// What an account costs in one process, without HTTP: time to open, memory that stays.
//   npm run build && node --expose-gc bench/accounts.mjs
import { createMockServer } from 'usage-billing-mock';
import { median, report } from './command.mjs';

const ACCOUNTS = 10_000;
const server = await createMockServer({ dataset: 'large' });

function usedMb() {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const beforeMb = usedMb();
const timesMs = [];
for (let nth = 0; nth < ACCOUNTS; nth += 1) {
  const startedAt = performance.now();
  server.account(`account-${nth}`);
  timesMs.push(performance.now() - startedAt);
}
report('opening an account (median of 10000)', `${(1_000 * median(timesMs)).toFixed(1)} µs`);
report('opening an account (the slowest)', `${Math.max(...timesMs).toFixed(2)} ms`);
report('10000 accounts without changes: heap', `+${(usedMb() - beforeMb).toFixed(0)} MB`);
