import { runTests, writeProject, written } from '../support/runner.js';

const KITS = [
  [
    'vitest',
    `import { beforeAll, describe, expect, test } from 'vitest';
    import { useMockServer } from 'usage-billing-mock/vitest';`,
    'const flaky = (name, run) => test(name, { retry: 1 }, run);',
    {
      'package.json': { type: 'module' },
      'vitest.config.js': 'export default { test: { disableConsoleIntercept: true } };',
    },
  ],
  [
    'jest',
    "const { useMockServer } = require('usage-billing-mock/jest');",
    `jest.retryTimes(1, { retryImmediately: true });
    const flaky = test;
    test.fails = test.failing;`,
    {
      'package.json': {
        jest: { transform: {}, testEnvironment: 'usage-billing-mock/jest-environment' },
      },
    },
  ],
] as const;

const TESTS = `
const mock = useMockServer();
test('passes', () => mock.fetch('/measurements'));
test('fails', async () => {
  await mock.fetch('/measurements');
  expect({ status: 404 }).toEqual({ status: 200 });
});
test('throws', () => { throw new Error('\\u001b[31mno contract\\u001b[39m'); });
test('throws no error', () => { throw 'a text'; });
test.fails('fails as it should', () => expect(1).toBe(2));
let tries = 0;
flaky('passes in the end', () => {
  tries += 1;
  expect(tries).toBe(2);
});
test('ends the mock', async () => {
  const response = await fetch(mock.url + '/__control/accounts?failed=true');
  const { accounts } = await response.json();
  for (const { name, failure } of accounts)
    process.stdout.write('\\nfailed=' + JSON.stringify([name, failure]) + '\\n');
});
`;

/** A group whose set-up fails, so that its tests fail before they have an account. */
const GROUP = `
const mock = useMockServer();
test('passes', () => mock.fetch('/measurements'));
describe('a group', () => {
  beforeAll(() => { throw new Error('no set-up'); });
  test('never begins', () => undefined);
});
test('ends the mock', async () => {
  const response = await fetch(mock.url + '/__control/accounts');
  process.stdout.write('\\nmarked=' + (await response.json()).failed + '\\n');
});
`;

test.each(KITS)(
  'the mock knows which tests of %s have failed, and why',
  async (runner, imports, retries, files) => {
    const folder = writeProject({
      ...files,
      'some.test.js': `${imports}\n${retries}${TESTS}`,
      'group.test.js': imports + GROUP,
    });
    const { code, output } = await runTests(runner, folder);
    expect(code).toBe(1);
    const failed = written(output, 'failed').map((line): [string, string] => JSON.parse(line));
    expect(failed.map(([name]) => name.replace(/#\d+$/, ''))).toEqual([
      'some.test.js › throws no error',
      'some.test.js › throws',
      'some.test.js › fails',
    ]);
    const messages = failed.map(([, message]) => message);
    expect(messages).toEqual([
      expect.stringMatching(/^"?a text/),
      'no contract',
      expect.stringMatching(/^expect.*equal/),
    ]);
    expect(written(output, 'marked')).toEqual(['0']);
    // A failing test shows the same.
    expect(output).toContain('GET /measurements -> 401');
  },
);
