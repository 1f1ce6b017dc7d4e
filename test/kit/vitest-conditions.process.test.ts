import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runTests, writeProject } from '../support/runner.js';

const KIT = `
import { useMockServer } from 'usage-billing-mock/vitest';
import { expect, test } from 'vitest';
const mock = useMockServer();
test('the kit', async () => {
  const headers = { Authorization: 'Bearer ' + mock.token };
  const response = await mock.fetch('/customers/65a000000000000000000001', { headers });
  await expect(response).toMatchContract('getCustomer');
  expect(mock).toHaveReceived('getCustomer');
});`;

const LIBRARY = `
import { createMockServer } from 'usage-billing-mock';
import { expect, test } from 'vitest';
test('the library', async () => {
  const server = await createMockServer();
  expect(server.account('t').customers.list()).not.toEqual([]);
});`;

/** An environment whose files vitest resolves and rewrites as for a page, as it does under jsdom. */
const ENVIRONMENT = `export default {
  name: 'like-a-page', viteEnvironment: 'client', transformMode: 'web',
  setup: () => ({ teardown() {} }),
};`;

const FOR_PAGES = { conditions: ['browser', 'module', 'import', 'default'] };
const INLINE = { deps: { inline: ['usage-billing-mock'] } };

interface Project {
  readonly resolve?: object;
  readonly server?: object;
  readonly isLinked?: boolean;
}

async function outcomeOf(
  tests: string,
  { resolve: conditions = {}, server = {}, isLinked }: Project,
) {
  const test = { environment: './like-a-page.js', server };
  const folder = writeProject({
    'package.json': { type: 'module' },
    'like-a-page.js': ENVIRONMENT,
    'vitest.config.js': `export default ${JSON.stringify({ resolve: conditions, test })};`,
    'some.test.js': tests,
  });
  if (isLinked) {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(resolve('.'), join(folder, 'node_modules/usage-billing-mock'));
  }
  const { code, output } = await runTests('vitest', folder);
  return [code, output];
}

describe('in an environment like a page that vitest runs in Node', () => {
  test.each<[string, Project]>([
    ['as it is installed', {}],
    ['with conditions of pages', { resolve: FOR_PAGES }],
    ['inlined', { server: INLINE }],
    ['inlined, with conditions of pages', { resolve: FOR_PAGES, server: INLINE }],
    ['linked', { isLinked: true }],
    ['linked, with conditions of pages', { resolve: FOR_PAGES, isLinked: true }],
  ])('the kit works %s', async (_, project) => {
    const [code, output] = await outcomeOf(KIT, project);
    expect([code, output]).toEqual([0, output]);
  });

  test.each<[string, Project]>([
    ['with conditions of pages', { resolve: FOR_PAGES }],
    ['inlined', { server: INLINE }],
    ['linked', { isLinked: true }],
  ])('the library works %s', async (_, project) => {
    const [code, output] = await outcomeOf(LIBRARY, project);
    expect([code, output]).toEqual([0, output]);
  });

  test('the library says how it works inlined, with conditions of pages', async () => {
    const [code, output] = await outcomeOf(LIBRARY, { resolve: FOR_PAGES, server: INLINE });
    expect([code, output]).toEqual([1, expect.stringContaining('server.deps.external of vitest')]);
  });
});
