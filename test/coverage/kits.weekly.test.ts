import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCoverage } from '../../src/mock/coverage/coverage.js';
import { outputOf, type Runner, runTests, writeProject } from '../support/runner.js';

type Kit = 'jest' | 'vitest' | 'playwright';

const TESTS: Readonly<Record<Kit, (options: string) => string>> = {
  jest: (options) => `
const { useMockServer } = require('usage-billing-mock/jest');
const mock = useMockServer(${options});
test('a contract is deleted', () => remove(mock.url, mock.token));`,
  vitest: (options) => `
import { test } from 'vitest';
import { useMockServer } from 'usage-billing-mock/vitest';
const mock = useMockServer(${options});
test('a contract is deleted', () => remove(mock.url, mock.token));`,
  playwright: () => `
const { test } = require('usage-billing-mock/playwright');
test('a contract is deleted', ({ billing }) => remove(billing.url, billing.token));`,
};

const REMOVE = `
async function remove(url, token) {
  const headers = { Authorization: 'Bearer ' + token };
  await fetch(url + '/contracts/65b000000000000000000001', { method: 'DELETE', headers });
}`;

const FILES = ['one', 'two', 'three'];

const OPTIONS = "{ coverage: 'billing.json' }";

/** A project of three files in two workers, each of which deletes a contract. */
function projectOf(kit: Kit): string {
  const code = `${TESTS[kit](OPTIONS)}\n${REMOVE}`;
  const ending = { jest: 'test.js', vitest: 'test.mjs', playwright: 'spec.js' }[kit];
  return writeProject({
    'package.json': { jest: { transform: {}, maxWorkers: 2 } },
    'vitest.config.mjs': 'export default { test: { maxWorkers: 2 } };',
    'playwright.config.js': `module.exports = { workers: 2, use: { billingOptions: { server: ${OPTIONS} } } };`,
    ...Object.fromEntries(FILES.map((name) => [`${name}.${ending}`, code])),
  });
}

async function deletionsOf(kit: Kit, folder: string): Promise<(number | undefined)[]> {
  await outputOf(runTests(kit satisfies Runner, folder));
  const { counts } = parseCoverage(readFileSync(join(folder, 'billing.json'), 'utf8'));
  return ['called', 'status 200'].map((row) => counts[`deleteContract: ${row}`]);
}

test.each<Kit>(['jest', 'vitest', 'playwright'])(
  'the mocks of two workers of %s have one file of coverage, which a second run replaces',
  async (kit) => {
    const folder = projectOf(kit);
    expect(await deletionsOf(kit, folder)).toEqual([3, 3]);
    expect(await deletionsOf(kit, folder)).toEqual([3, 3]);
  },
);
