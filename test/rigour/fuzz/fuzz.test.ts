import { runsOf } from '../../support/variants.js';
import { fuzz } from './fuzz.js';

test('malformed bytes and generated calls find nothing', async () => {
  const cases = 2 * runsOf(25);
  const outcome = await fuzz({ seed: 1, mostCases: cases, mostMs: 200_000 });
  const half = { rawCases: cases / 2, callCases: cases / 2 };
  expect(outcome).toMatchObject({ ...half, found: [], leftOpen: [] });
}, 240_000);
