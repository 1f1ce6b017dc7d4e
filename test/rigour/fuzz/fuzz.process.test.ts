import { fuzz } from './fuzz.js';

const CASES = { calls: 20, raw: 20, planted: 2 };

// `fuzz.weekly.test.ts` has every kind.
test.each(['calls', 'raw', 'planted'] as const)('%s find nothing', async (kind) => {
  const cases = CASES[kind];
  const outcome = await fuzz({ kinds: [kind], seed: 1, cases, seconds: 120 });
  expect(outcome).toMatchObject({ cases: { [kind]: cases }, found: [], leftOpen: [] });
});
