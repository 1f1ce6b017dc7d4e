import {
  mocksOf,
  outputOf,
  runTests,
  startRun,
  TELL,
  until,
  writeProject,
  written,
} from '../support/runner.js';

const SET_UP = {
  'package.json': { type: 'module' },
  'playwright.config.js':
    "export default { globalSetup: 'usage-billing-mock/playwright/global-setup' };",
};

const SEES_SHARED = `
import { test } from '@playwright/test';
${TELL}
test('sees the shared mock', () => {
  tell('shared', process.env.SHARED_USAGE_BILLING_MOCK);
});
`;

describe('the set-up of Playwright', () => {
  test('starts one mock for all tests, which ends with the run', async () => {
    const folder = writeProject({
      ...SET_UP,
      'a.spec.js': SEES_SHARED,
      'b.spec.js': SEES_SHARED,
    });
    const shared = written(await outputOf(runTests('playwright', folder)), 'shared');
    expect([shared.length, new Set(shared).size]).toEqual([2, 1]);
    expect(JSON.parse(shared[0] ?? '')).toMatchObject({ url: expect.stringMatching(/^http:/) });
    expect(mocksOf(folder)).toEqual([]);
  });

  test.each([
    [
      'CommonJS',
      (options: string) =>
        `module.exports = require('usage-billing-mock/playwright/global-setup').createGlobalSetup(${options});`,
    ],
    [
      'ES modules',
      (options: string) =>
        `import { createGlobalSetup } from 'usage-billing-mock/playwright/global-setup';\nexport default createGlobalSetup(${options});`,
    ],
  ])('takes the options of a server, in a file of %s', async (kind, setUp) => {
    const isModule = kind === 'ES modules';
    const config = `{ globalSetup: './set-up.js' }`;
    const run = (options: string) =>
      runTests(
        'playwright',
        writeProject({
          'package.json': { type: isModule ? 'module' : 'commonjs' },
          'playwright.config.js': `${isModule ? 'export default' : 'module.exports ='} ${config};`,
          'set-up.js': setUp(options),
          'a.spec.mjs': SEES_SHARED,
        }),
      );
    const [shared = '{}'] = written(await outputOf(run("{ controlToken: 'secret' }")), 'shared');
    expect(JSON.parse(shared)).toMatchObject({ controlToken: 'secret' });
    expect((await run("{ dataset: 'emty' }")).output).toContain('The shared mock did not start: ');
  });

  test('leaves no process behind when the run is killed', async () => {
    const folder = writeProject({
      ...SET_UP,
      'a.spec.js': `${SEES_SHARED}
        test('waits', async () => {
          await new Promise(() => {});
        });`,
    });
    const run = startRun('playwright', folder);
    await until(() => written(run.output(), 'shared').length > 0);
    const [shared = ''] = written(run.output(), 'shared');
    const { url } = JSON.parse(shared);
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
    expect(mocksOf(folder)).toHaveLength(1);
    run.child.kill('SIGKILL');
    await until(() => mocksOf(folder).length === 0);
    await expect(fetch(`${url}/__control/health`)).rejects.toThrow('fetch failed');
  });
});
