// Measures what accounts cost: node --expose-gc accounts.mjs
import { createMockServer } from 'usage-billing-mock';

const ACCOUNTS = 10_000;
const DELETIONS = 10;
const CALLING = 2_000;
const server = await createMockServer({ dataset: 'large', maxAccounts: ACCOUNTS + 2 * CALLING });
const refs = Array.from({ length: ACCOUNTS }, (_, nth) => `account-${nth}`);
/** @type {string[]} */
const events = [];
for (const { id } of server.dataset.events) if (events.push(id) === DELETIONS) break;

/** @param {number[]} times */
const median = (times) => times.sort((one, other) => one - other)[times.length >> 1] ?? 0;

function usedMb() {
  /** @type {() => void} */ (globalThis.gc)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** @param {(ref: string) => void} action */
function timed(action) {
  const times = refs.map((ref) => {
    const startedAt = performance.now();
    action(ref);
    return performance.now() - startedAt;
  });
  return { middle: 1_000 * median(times), most: Math.max(...times) };
}

/** @param {readonly string[]} tokens */
async function callAs(tokens) {
  for (const token of tokens) {
    const headers = { Authorization: `Bearer ${token}` };
    await (await server.fetch('/measurements?limit=1', { headers })).arrayBuffer();
  }
}

const before = usedMb();
const opened = timed((token) => server.account(token));
const heap = usedMb() - before;
const refsOfCallers = refs.slice(0, CALLING);
// The first calls build what all accounts share.
await callAs(refsOfCallers.map((ref) => `first-${ref}`));
const beforeCalls = usedMb();
await callAs(refsOfCallers.map((ref) => `then-${ref}`));
const heapOfCalling = usedMb() - beforeCalls;
const account = server.account('account-0');
const change = () => {
  for (const id of events) account.events.remove(id);
};
change();
const snapshot = timed(() => account.snapshot('again'));
const restored = timed(() => account.restore('again'));
const resets = Array.from({ length: 1_000 }, () => {
  change();
  const startedAt = performance.now();
  account.reset();
  return performance.now() - startedAt;
});

process.stdout.write(
  JSON.stringify({
    'account open': opened.middle,
    'account open, slowest': opened.most,
    'account heap': heap,
    'account heap after a call': heapOfCalling,
    'account snapshot': snapshot.middle,
    'account restore': restored.middle,
    'account reset': 1_000 * median(resets),
  }),
);
