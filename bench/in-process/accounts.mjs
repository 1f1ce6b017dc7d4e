// The heap of 2,000 accounts over `large` after one GET each: node --expose-gc accounts.mjs
import { createMockServer } from 'usage-billing-mock';

const ACCOUNTS = 2_000;
const server = await createMockServer({ dataset: 'large', maxAccounts: 3 * ACCOUNTS });

async function callAs(prefix) {
  for (let nth = 0; nth < ACCOUNTS; nth += 1) {
    const headers = { authorization: `Bearer ${prefix}-${nth}` };
    await (await server.fetch('/measurements?limit=1', { headers })).arrayBuffer();
  }
}

function heapMb() {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

// The first calls build what all accounts share.
await callAs('first');
const before = heapMb();
await callAs('then');
console.log(heapMb() - before);
