import { fuzz } from './fuzz.js';

const CASES = 20;

// `fuzz.weekly.test.ts` has every kind.
test.each(['calls', 'raw'] as const)('%s find nothing', async (kind) => {
  const outcome = await fuzz({ kinds: [kind], seed: 1, cases: CASES, seconds: 120 });
  expect(outcome).toMatchObject({ cases: { [kind]: CASES }, found: [], leftOpen: [] });
});
