import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Coverage } from '../../src/index.js';
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

const SET_UP = (kit: Kit) => `
const { createGlobalSetup } = require('usage-billing-mock/${kit}/global-setup');
module.exports = createGlobalSetup({ coverage: 'billing.json' });`;

const SET_UP_OF_VITEST = `
import { createGlobalSetup } from 'usage-billing-mock/vitest/global-setup';
export default createGlobalSetup({ coverage: 'billing.json' });`;

const FILES = ['one', 'two', 'three'];

/** A project of three files in two workers, each of which deletes a contract. */
function projectOf(kit: Kit, isShared: boolean, options = ''): string {
  const code = `${TESTS[kit](options)}\n${REMOVE}`;
  const ending = { jest: 'js', vitest: 'mjs', playwright: 'spec.js' }[kit];
  const names = FILES.map((name) => (kit === 'playwright' ? name : `${name}.test`));
  return writeProject({
    'package.json': {
      jest: { transform: {}, maxWorkers: 2, ...(isShared && { globalSetup: './set-up.js' }) },
    },
    'vitest.config.mjs': `export default { test: { maxWorkers: 2, ${isShared ? "globalSetup: './set-up.mjs'" : ''} } };`,
    'playwright.config.js': `module.exports = { workers: 2, ${isShared ? "globalSetup: './set-up.js'" : ''} };`,
    'set-up.js': SET_UP(kit),
    'set-up.mjs': SET_UP_OF_VITEST,
    ...Object.fromEntries(names.map((name) => [`${name}.${ending}`, code])),
  });
}

async function deletionsOf(kit: Kit, folder: string): Promise<(number | undefined)[]> {
  await outputOf(runTests(kit satisfies Runner, folder));
  const { rows }: Coverage = JSON.parse(readFileSync(join(folder, 'billing.json'), 'utf8'));
  const own = rows.filter(({ of }) => of === 'deleteContract');
  return ['called', 'status 200'].map((row) => own.find((one) => one.row === row)?.count);
}

describe.each<Kit>(['jest', 'vitest', 'playwright'])('two workers of %s', (kit) => {
  test('have one file of coverage with their global set-up, which a second run replaces', async () => {
    const folder = projectOf(kit, true);
    expect(await deletionsOf(kit, folder)).toEqual([3, 3]);
    expect(await deletionsOf(kit, folder)).toEqual([3, 3]);
  });
});

describe.each<Kit>(['jest', 'vitest'])('two workers of %s', (kit) => {
  test('have one file of coverage of mocks of their own, which a second run replaces', async () => {
    const folder = projectOf(kit, false, "{ coverage: 'billing.json' }");
    expect(await deletionsOf(kit, folder)).toEqual([3, 3]);
    expect(await deletionsOf(kit, folder)).toEqual([3, 3]);
  });
});
