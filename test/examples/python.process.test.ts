import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasProgram } from '../support/certificates.js';
import { newFolder } from '../support/fixture.js';
import { blocksOf } from '../support/pages.js';
import { startProgram } from '../support/programs.js';

const isInstalled = hasProgram('python3');
const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0;
const imported = spawnSync('python3', ['-c', 'import httpx, pytest, xdist']);
const [testPytest, pytestNote] =
  imported.status === 0 ? [test, ''] : [test.skip, ' (no httpx, pytest and pytest-xdist here)'];

/** Runs tests of Python beside the helper, in a folder without packages. */
async function runTests(body: string, variables: object) {
  const folder = newFolder();
  cpSync('examples/python/billing_mock.py', join(folder, 'billing_mock.py'));
  const lines = ['import unittest', 'from billing_mock import Account', body];
  writeFileSync(join(folder, 'test_own.py'), lines.join('\n'));
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...variables };
  const tests = startProgram('python3', ['-B', '-m', 'unittest'], { cwd: folder, env });
  return { status: await tests.ended(), output: tests.output() };
}

const TWO_TESTS = `
class Own(unittest.TestCase):
    def test_one(self):
        Account(self.id())
    def test_two(self):
        Account(self.id())
`;

(isInstalled ? describe : describe.skip)('the helper for Python', () => {
  test.each([
    ['a program that does not exist', 'a-command-that-nobody-has', 'a-command-that-nobody-has'],
    ['a package that npx does not find', 'npx --no --offline -- usage-billing-mock', 'npm error'],
  ])('says once that its command is %s, and what to do', async (_, command, reason) => {
    const { status, output } = await runTests(TWO_TESTS, { BILLING_MOCK_COMMAND: command });
    expect([status, output]).toEqual([1, expect.stringContaining(reason)]);
    const advice = output.match(/If the package usage-billing-mock is missing, install it where/g);
    expect([output, advice]).toEqual([output, [expect.any(String)]]);
    expect(output).toContain('The mock has not started; the first test that failed says why.');
    expect(output).not.toContain('During handling of the above exception');
  });

  (hasPytest ? test : test.skip)(
    `tells which tests of pytest failed, by the hook of docs/languages.md${hasPytest ? '' : ' (no pytest here)'}`,
    async () => {
      const folder = newFolder();
      cpSync('examples/python/billing_mock.py', join(folder, 'billing_mock.py'));
      const [, hook = ''] = blocksOf('docs/languages.md', 'python');
      const fixture = `
from billing_mock import Account

@pytest.fixture
def account(request):
    return Account(request.node.nodeid)
`;
      writeFileSync(join(folder, 'conftest.py'), hook + fixture);
      writeFileSync(
        join(folder, 'test_own.py'),
        `
import pytest

def test_finds(account):
    assert account.call("GET", "/customers/none")[0] == 404

def test_misses(account):
    assert account.call("GET", "/customers/lost")[0] == 200

@pytest.mark.xfail
def test_skips(account):
    assert account.call("GET", "/customers/later")[0] == 200
`,
      );
      const mock = [resolve('dist/cli.cjs'), 'exec', '--', 'python3', '-B', '-m', 'pytest'];
      const { PATH, HOME } = process.env;
      const env = { PATH, HOME };
      const tests = startProgram(process.execPath, mock, { cwd: folder, env });
      expect([await tests.ended(), tests.output()]).toEqual([
        1,
        expect.stringContaining('1 failed, 1 passed, 1 xfailed'),
      ]);
      const [heading, ...others] = tests.stderr().match(/^usage-billing-mock: .*/gm) ?? [];
      expect([heading, others]).toEqual([
        'usage-billing-mock: what test_own.py › test_misses sent, latest request first',
        [],
      ]);
      expect(tests.stderr()).toContain('assert 404 == 200');
    },
  );

  testPytest(
    `runs the example of docs/languages.md in two workers of pytest${pytestNote}`,
    async () => {
      const folder = newFolder();
      cpSync('examples/python/billing_mock.py', join(folder, 'billing_mock.py'));
      const [example = ''] = blocksOf('docs/languages.md', 'python');
      writeFileSync(join(folder, 'test_one.py'), example);
      writeFileSync(join(folder, 'test_two.py'), example);
      const { PATH, HOME } = process.env;
      const BILLING_MOCK_COMMAND = `${process.execPath} ${resolve('dist/cli.cjs')}`;
      const tests = startProgram('python3', ['-B', '-m', 'pytest', '-n', '2'], {
        cwd: folder,
        env: { PATH, HOME, BILLING_MOCK_COMMAND },
      });
      expect([await tests.ended(), tests.output()]).toEqual([
        0,
        expect.stringContaining('2 passed'),
      ]);
    },
  );
});
