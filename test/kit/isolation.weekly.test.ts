import { runTests, writeProject } from '../support/runner.js';

const FILES = 10;
const TESTS_A_FILE = 50;
const WORKERS = 8;

/** Each test does a little of everything, and then looks for effects of others. */
const FILE = `
const { useMockServer } = require('usage-billing-mock/jest');
const mock = useMockServer();
const CONTRACTS = ['65b000000000000000000001', '65b000000000000000000002'];

test.each(Array.from({ length: ${TESTS_A_FILE} }, (_, nth) => nth))('a test', async (nth) => {
  const { account, token } = mock;
  process.stdout.write('token=' + token + '\\n');
  const id = 'customer-' + token.replaceAll('/', '-');
  const contract = CONTRACTS[nth % CONTRACTS.length];
  const year = 2030 + nth;
  const call = (path, method = 'GET') =>
    fetch(mock.url + path, { method, headers: { Authorization: 'Bearer ' + token } });

  await account.customers.put({ id, name: 'Of one test' });
  await account.clock.freeze(year + '-01-01T00:00:00.000Z');
  await account.faults.add({ operationId: 'getCustomer', kind: 'status', status: 500 + (nth % 4) });
  await account.decisions.change({ 'repeat-delete': nth % 2 === 0 ? 'gone' : 'conflict' });
  await account.snapshot('before');

  const statuses = [];
  for (const [path, method] of [
    ['/contracts/' + contract, 'DELETE'],
    ['/contracts/' + contract, 'DELETE'],
    ['/customers/' + id],
    ['/customers/' + id],
    ['/customers/name/Of%20one%20test'],
  ]) {
    statuses.push((await call(path, method)).status);
  }
  expect(statuses).toEqual([200, nth % 2 === 0 ? 410 : 409, 500 + (nth % 4), 200, 200]);

  const customers = await account.customers.list();
  expect(customers.filter((one) => one.id.startsWith('customer-')).map((one) => one.id)).toEqual([id]);
  const deleted = (await account.contracts.list()).filter((one) => one.deletedAt !== undefined);
  const own = deleted.filter((one) => CONTRACTS.includes(one.id));
  expect(own.map((one) => [one.id, one.deletedAt])).toEqual([[contract, year + '-01-01T00:00:00.000Z']]);
  expect(await account.journal.count()).toBe(5);
  expect((await account.faults.list()).length).toBeLessThanOrEqual(1);
  await expect(mock).toHaveReceivedTimes('deleteContract', 2, { contractId: contract });
  await account.reset();
  expect(await account.journal.count()).toBe(0);
});
`;

test(`${FILES * TESTS_A_FILE} tests in ${WORKERS} workers never meet in the mock that they share`, async () => {
  const files = Array.from({ length: FILES }, (_, nth) => [`file-${nth}.test.js`, FILE]);
  const folder = writeProject({
    'package.json': {
      jest: {
        transform: {},
        globalSetup: 'usage-billing-mock/jest/global-setup',
        testTimeout: 60_000,
      },
    },
    ...Object.fromEntries(files),
  });
  const { code, output } = await runTests('jest', folder, `--maxWorkers=${WORKERS}`);
  if (code !== 0) throw new Error(output.replaceAll(/.*token=.*\n/g, '').slice(0, 10_000));
  const tokens = [...output.matchAll(/token=(\S+)$/gm)].map(([, token = '']) => token);
  expect(new Set(tokens).size).toBe(FILES * TESTS_A_FILE);
  const workers = new Set(tokens.map((token) => token.split('/')[1]));
  expect(workers.size).toBe(WORKERS);
});
