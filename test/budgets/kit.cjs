// Loads the kit of jest and runs a test with it. Prints counts of what was loaded at the import and at
// the end, which a test compares with budgets.
const { readFileSync } = require('node:fs');

const hooks = {};
const matchers = {};
const hookNames = ['beforeAll', 'afterAll', 'beforeEach', 'afterEach'];
const add = (name) => [name, (hook) => Object.assign(hooks, { [name]: hook })];
// jest passes this only to test files.
const jest = {
  ...Object.fromEntries(hookNames.map(add)),
  expect: { extend: (given) => Object.assign(matchers, given), getState: () => ({}) },
};
const id = require.resolve('@jest/globals');
require.cache[id] = { id, exports: jest, loaded: true };

function loaded() {
  const files = Object.keys(require.cache).filter((file) => ![id, __filename].includes(file));
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  return { modules: files.length, bytes };
}

async function main() {
  const { useMockServer } = require('usage-billing-mock/jest');
  const mock = useMockServer();
  const imported = loaded();
  await hooks.beforeAll();
  hooks.beforeEach();
  const headers = { Authorization: `Bearer ${mock.token}` };
  const { status } = await mock.fetch('/customers/65a000000000000000000001', { headers });
  mock.account.faults.list();
  const customerId = '65a000000000000000000001';
  const { pass } = matchers.toHaveReceived.call({ equals: Object.is }, mock, 'getCustomer', {
    customerId,
  });
  hooks.afterEach();
  await hooks.afterAll();
  process.stdout.write(JSON.stringify({ status, pass, imported, ended: loaded() }));
}

main();
