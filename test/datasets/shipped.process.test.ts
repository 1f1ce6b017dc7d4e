import { run } from '../support/programs.js';

// In another process, because many records take five times as long under jest.
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
  // A changed hash means changed data, on which users' tests may depend.
  test.each([
    [
      'default',
      [25, 36, 6_476, 254],
      '2fad3edb0ae085f5cbd3720464921de8da52862b15a06795d45f8c86bd38c4ac',
    ],
    ['empty', [0, 0, 0, 0], 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [
      'edge-cases',
      [30, 10, 37, 12],
      '70134933a30c8baba8128f925a7a54b61873aaaed94385cd4588f9a7c0f761bb',
    ],
    [
      'large',
      [1_000, 1_000, 100_000, 10_000],
      '1e85a3b136c11e32200c180b0371514a049246c3e6ed46f4323f805e3b7cd32d',
    ],
  ])('%s', async (dataset, sizes, hash) => {
    const args = ['--input-type=module', '--eval', CODE, dataset];
    const { stdout } = await run(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual({ sizes, hash });
  });
});
