import { runsOf } from '../../support/variants.js';
import { fuzz, KIND_NAMES } from './fuzz.js';

const CASES = { calls: 25, raw: 50, depth: 15, files: 10, blanks: 10, streams: 5, kept: 5 };

test.each(KIND_NAMES)(
  '%s find nothing',
  async (kind) => {
    const cases = runsOf(CASES[kind]);
    const outcome = await fuzz({ kinds: [kind], seed: 1, cases, seconds: 120 });
    expect(outcome).toMatchObject({ cases: { [kind]: cases }, found: [], leftOpen: [] });
  },
  240_000,
);
