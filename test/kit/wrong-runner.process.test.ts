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

/** Loads a module where there is nothing of Node, as in a page. */
const inAPage = (name: string) => `
  const { process, console } = globalThis;
  globalThis.process = undefined;
  const told = await import('${name}').then(() => 'loaded', ({ message }) => message);
  globalThis.process = process;
  console.log(told);
`;

test.each([
  [
    'kit for vitest',
    'usage-billing-mock/vitest',
    /Import createBrowserMock from usage-billing-mock\/browser instead/,
  ],
  ['library', 'usage-billing-mock', /usage-billing-mock runs in Node, not in a page\. Import/],
])('the %s names the mock for pages when a page loads it', async (_, name, sentence) => {
  const conditions = ['--conditions=browser', '--conditions=module'];
  const evaluated = ['--input-type=module', '--eval', inAPage(name)];
  const { stdout } = await run(process.execPath, [...conditions, ...evaluated]);
  expect(stdout).toMatch(sentence);
});
