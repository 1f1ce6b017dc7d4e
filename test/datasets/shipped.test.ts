import { run } from '../support/programs.js';

// In a process of its own, because a million records take five times as long under jest.
const CODE = `
import { createHash } from 'node:crypto';
import { createMockServer } from 'usage-billing-mock';
const { dataset } = await createMockServer({ dataset: process.argv[1] });
const hash = createHash('sha256');
const sizes = ['customers', 'contracts', 'measurements', 'events'].map((name) => {
  for (const record of dataset[name]) hash.update(JSON.stringify(record));
  return dataset[name].size;
});
console.log(JSON.stringify({ sizes, hash: hash.digest('hex') }));
`;

describe('a shipped dataset has the same bytes everywhere and for ever', () => {
  // A change of a hash is a change of the data that users have written into their tests.
  test.each([
    [
      'default',
      [25, 42, 6_476, 254],
      '3d37474afcff4926c40592af53cdc7c3f0f03e1734dec1c32b6014fe9fee7af7',
    ],
    ['empty', [0, 0, 0, 0], 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [
      'edge-cases',
      [30, 10, 37, 12],
      '70134933a30c8baba8128f925a7a54b61873aaaed94385cd4588f9a7c0f761bb',
    ],
    [
      'large',
      [10_000, 10_000, 1_000_000, 100_000],
      'e17bb9346b19bed66542e427f281c882fba9eed8888e529ea5da1c2a2d726bed',
    ],
  ])('%s', async (dataset, sizes, hash) => {
    const args = ['--input-type=module', '--eval', CODE, dataset];
    const { stdout } = await run(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual({ sizes, hash });
  });
});
