import { runsOf, variantsOf } from '../../support/variants.js';
import { fuzz, KIND_NAMES } from './fuzz.js';

const CASES = { calls: 20, raw: 40, depth: 10, files: 5, blanks: 5, streams: 5, kept: 5 };

// The following cases send megabytes.
test.each(variantsOf(KIND_NAMES, 2))(
  '%s find nothing',
  async (kind) => {
    const cases = runsOf(CASES[kind]);
    const outcome = await fuzz({ kinds: [kind], seed: 1, cases, seconds: 120 });
    expect(outcome).toMatchObject({ cases: { [kind]: cases }, found: [], leftOpen: [] });
  },
  240_000,
);
