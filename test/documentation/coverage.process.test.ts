import { join, resolve } from 'node:path';
import { asShown } from '../support/console-blocks.js';
import { newFolder } from '../support/fixture.js';
import { blocksOf } from '../support/pages.js';
import { run } from '../support/programs.js';

const PAGE = 'docs/coverage.md';
const MOCK = `${process.execPath} ${resolve('dist/cli.cjs')}`;
const JEST = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
const EXAMPLE = ['--runTestsByPath', 'test/examples/typescript.ci.test.ts'];

/** Runs an example's suite, and returns the printed coverage. */
async function coverageOf([file, ...args]: readonly [string, ...string[]]): Promise<string> {
  const coverage = join(newFolder(), 'billing.json');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, BILLING_MOCK_COMMAND: MOCK, USAGE_BILLING_MOCK_COVERAGE: coverage };
  await run(file, args, { env });
  const report = ['dist/cli.cjs', 'coverage', coverage];
  return (await run(process.execPath, report)).stdout;
}

describe(PAGE, () => {
  test('shows what the example in TypeScript touches', async () => {
    // Only the example, without its type check.
    const only = ['--testNamePattern', '^(?!the example)'];
    const suite = [process.execPath, ...JEST, ...only, ...EXAMPLE] as const;
    const [shown = ''] = blocksOf(PAGE, 'text');
    expect((await coverageOf(suite)).trimEnd()).toMatch(asShown(shown.trimEnd()));
  });
});
