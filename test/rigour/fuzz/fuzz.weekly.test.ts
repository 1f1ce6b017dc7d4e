import { fuzz, KIND_NAMES } from './fuzz.js';

const CASES = {
  calls: 20,
  raw: 40,
  depth: 10,
  files: 5,
  blanks: 5,
  streams: 5,
  kept: 5,
  planted: 5,
};

// Some of the cases send megabytes.
test.each(KIND_NAMES)('%s find nothing', async (kind) => {
  const cases = CASES[kind];
  const outcome = await fuzz({ kinds: [kind], seed: 1, cases, seconds: 120 });
  expect(outcome).toMatchObject({ cases: { [kind]: cases }, found: [], leftOpen: [] });
});
