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
