import { fuzz } from './fuzz.js';

test('malformed bytes and generated calls find nothing', async () => {
  const outcome = await fuzz({ seed: 1, mostCases: 24, mostMs: 200_000 });
  expect(outcome).toMatchObject({ rawCases: 12, callCases: 12, found: [], leftOpen: [] });
}, 240_000);
