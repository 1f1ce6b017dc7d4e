import { type Runner, runTests, writeProject } from '../support/runner.js';

const RUNNERS: readonly [Runner, string, object][] = [
  ['jest', 'usage-billing-mock/jest', { jest: { transform: {} } }],
  ['jest of ES modules', 'usage-billing-mock/jest', { type: 'module', jest: { transform: {} } }],
  ['vitest', 'usage-billing-mock/vitest', { type: 'module' }],
];

/** Tests that end as their titles say. */
const TESTS = `
const mock = useMockServer();

test('passes: awaited', async () => {
  await expect(mock).not.toHaveReceived('deleteContract');
  await expect({ status: 404, body: { message: 'no' } }).not.toMatchContract('getCustomer');
});
test('passes: returned', () => expect(mock).toHaveReceivedTimes('deleteContract', 0));
test('passes: returned later', async () => expect(mock).not.toHaveReceived('deleteContract'));
test('passes: by .rejects', async () => {
  await expect(expect(mock).toHaveReceived('deleteContract')).rejects.toThrow('no request');
});
test('passes: by .catch', async () => {
  await expect(mock).toHaveReceived('deleteContract').catch(() => undefined);
});
test('passes: together', async () => {
  await Promise.all([
    expect(mock).not.toHaveReceived('deleteContract'),
    expect(mock).not.toHaveReceived('getCustomer'),
  ]);
});
test('fails: right and forgotten', () => {
  expect(mock).not.toHaveReceived('deleteContract');
});
test('fails: wrong and forgotten', async () => {
  expect(mock).toHaveReceivedTimes('deleteContract', 1);
  await mock.fetch('/measurements');
});
test('fails: forgotten beside an awaited one', async () => {
  expect({ status: 404 }).not.toMatchContract('getCustomer');
  await expect(mock).not.toHaveReceived('deleteContract');
});
test('passes: verbs and data', async () => {
  await mock.account.clock.freeze('2030-01-01T00:00:00.000Z');
  await expect(mock.account.clock.isFrozen).resolves.toBe(true);
  await expect(mock.account.restore('none')).rejects.toThrow('none');
  const count = mock.journal.count();
  expect(await count).toBe(0);
});
test('fails: a verb and forgotten', async () => {
  mock.account.faults.add({ kind: 'rest' });
  await mock.fetch('/measurements');
});
test('passes: after those', async () => {
  await expect(mock).not.toHaveReceived('deleteContract');
});
`;

test.each(RUNNERS)(
  'what was not awaited fails its test, and no other, in %s',
  async (runner, kit, manifest) => {
    const isCommonJs = !('type' in manifest);
    const imports = isCommonJs
      ? `const { useMockServer } = require('${kit}');`
      : `import { useMockServer } from '${kit}';`;
    const globals = runner === 'vitest' ? "import { expect, test } from 'vitest';" : '';
    const folder = writeProject({
      'package.json': manifest,
      'some.test.js': [imports, globals, TESTS].join('\n'),
    });
    const reporter = runner === 'vitest' ? '--reporter=verbose' : '--verbose';
    const { code, output } = await runTests(runner, folder, reporter);
    expect(code).toBe(1);
    const results = [...output.matchAll(/^\s*([✓√✕×])(?: some\.test\.js >)? (\w+): ([^(\d]*\w)/gm)];
    const ends = results.map(
      ([, mark = '', end]) => `${'✓√'.includes(mark) ? 'passes' : 'fails'} ${end}`,
    );
    expect(ends.sort()).toEqual([
      ...Array(4).fill('fails fails'),
      ...Array(8).fill('passes passes'),
    ]);
    for (const matcher of ['toHaveReceived', 'toHaveReceivedTimes', 'toMatchContract']) {
      expect(output).toContain(`expect(…).${matcher}(…) was not awaited`);
    }
    expect(output).toContain('mock.account.faults.add(…) was not awaited');
    // The error shows where it was called.
    expect(output).toMatch(/some\.test\.js:\d+/);
  },
);

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
        "  await expect(mock).toHaveReceived('deleteContract');",
        '});',
        "test('names what is none', async () => {",
        "  await mock.fetch('/measurements');",
        "  await expect(mock).toHaveReceived('deleteContract', { contractID: 'k1' });",
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
