import { resolve } from 'node:path';
import { startProgram } from '../support/programs.js';
import { TELL, writeProject, written } from '../support/runner.js';

const FILES = 10;
const TESTS_A_FILE = 50;
const WORKERS = 8;

/** Each test does a little of everything, and then looks for effects of others. */
const TESTS = `
import { randomUUID } from 'node:crypto';
import 'usage-billing-mock/jest';
import { connectMockServer } from 'usage-billing-mock/client';
${TELL}
const { USAGE_BILLING_MOCK_URL: url } = process.env;
const server = connectMockServer({ url });
const CONTRACTS = ['65b000000000000000000001', '65b000000000000000000002'];

test.each(Array.from({ length: ${TESTS_A_FILE} }, (_, nth) => nth))('test %i', async (nth) => {
  const token = randomUUID();
  tell('worker', process.pid);
  const account = server.account(token);
  const id = 'customer-' + token;
  const contract = CONTRACTS[nth % CONTRACTS.length];
  const year = 2030 + nth;
  const call = (path, method = 'GET') =>
    fetch(url + path, { method, headers: { Authorization: 'Bearer ' + token } });

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
  const requests = await account.journal.list();
  expect(requests).toHaveLength(5);
  expect(requests).toHaveReceivedTimes('deleteContract', 2, { contractId: contract });
  expect(requests).not.toHaveReceived('listMeasurements');
  expect((await account.faults.list()).length).toBeLessThanOrEqual(1);
  await account.reset();
  expect(await account.journal.count()).toBe(0);
});
`;

test(`${FILES * TESTS_A_FILE} tests in ${WORKERS} workers never meet in the mock of one command`, async () => {
  const files = Array.from({ length: FILES }, (_, nth) => [`file-${nth}.test.js`, TESTS]);
  const folder = writeProject({
    'package.json': { type: 'module', jest: { transform: {}, testTimeout: 60_000 } },
    ...Object.fromEntries(files),
  });
  const { PATH, HOME } = process.env;
  const run = startProgram(
    process.execPath,
    [
      ...[resolve('dist/cli.cjs'), 'exec', '--', process.execPath, '--experimental-vm-modules'],
      ...[resolve('node_modules/jest/bin/jest.js'), `--maxWorkers=${WORKERS}`],
    ],
    { cwd: folder, env: { PATH, HOME, CI: 'true', NO_COLOR: '1' } },
  );
  const code = await run.ended();
  const output = run.output();
  if (code !== 0) throw new Error(output.replaceAll(/worker=.*\n/g, '').slice(0, 10_000));
  const workers = written(output, 'worker');
  expect(workers).toHaveLength(FILES * TESTS_A_FILE);
  expect(new Set(workers).size).toBeGreaterThanOrEqual(WORKERS);
});
