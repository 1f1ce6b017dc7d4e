import { run } from '../support/programs.js';
import { runTests, writeProject } from '../support/runner.js';

test('the kit for jest names the one for vitest when vitest runs it', async () => {
  const folder = writeProject({
    'package.json': { type: 'module' },
    'some.test.js': `
      import { useMockServer } from 'usage-billing-mock/jest';
      import { test } from 'vitest';
      const mock = useMockServer();
      test('never runs', () => {});`,
  });
  const { code, output } = await runTests('vitest', folder);
  expect(code).toBe(1);
  expect(output).toContain(
    'usage-billing-mock/jest needs jest, which does not run this file. Under vitest import usage-billing-mock/vitest; under another runner use createMockServer from usage-billing-mock.',
  );
});

/** Bundles a file of tests as vitest's browser mode does, and runs the bundle. */
const IN_A_PAGE = `
  import { build } from 'esbuild';
  const contents = "import { useMockServer } from 'usage-billing-mock/vitest'; useMockServer();";
  const stdin = { contents, resolveDir: process.cwd() };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm', platform: 'browser' });
  const page = 'data:text/javascript,' + encodeURIComponent(outputFiles[0].text);
  console.log(await import(page).then(() => 'loaded', ({ message }) => message));
`;

test('the kit for vitest names the mock for pages when a page loads it', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', IN_A_PAGE]);
  expect(stdout).toBe(
    "usage-billing-mock/vitest runs in Node, but vitest's browser mode runs this file in a page. Import createBrowserMock from usage-billing-mock/browser instead: see docs/testing.md.\n",
  );
});
