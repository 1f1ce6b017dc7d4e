import { type Runner, runTests, writeProject } from '../support/runner.js';

const RUNNERS: readonly [Runner, string, object][] = [
  ['jest', 'usage-billing-mock/jest', { jest: { transform: {} } }],
  ['jest of ES modules', 'usage-billing-mock/jest', { type: 'module', jest: { transform: {} } }],
  ['vitest', 'usage-billing-mock/vitest', { type: 'module' }],
];

test.each(RUNNERS)(
  'a matcher that fails names the line of its test, in %s',
  async (runner, kit, manifest) => {
    const folder = writeProject({
      'package.json': manifest,
      'some.test.js': [
        'type' in manifest
          ? `import { useMockServer } from '${kit}';`
          : `const { useMockServer } = require('${kit}');`,
        runner === 'vitest' ? "import { expect, test } from 'vitest';" : '',
        'const mock = useMockServer();',
        "test('fails', async () => {",
        "  await mock.fetch('/measurements');",
        "  expect(mock).toHaveReceived('deleteContract');",
        '});',
        "test('names what is none', async () => {",
        "  await mock.fetch('/measurements');",
        "  expect(mock).toHaveReceived('deleteContract', { contractID: 'k1' });",
        '});',
      ].join('\n'),
    });
    const { code, output } = await runTests(runner, folder);
    expect([code, output]).toEqual([1, expect.stringContaining('some.test.js:6:')]);
    expect(output).toContain(
      'Expected the account to have received deleteContract. It received, latest first:',
    );
    expect(output).toContain("Did you mean 'contractId'?");
    expect(output).toContain('some.test.js:10:');
  },
);
