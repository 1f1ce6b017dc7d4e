import { type Runner, runTests, writeProject } from '../support/runner.js';

const SENTENCE = 'const token = mock.newToken()';

/** Runs a file whose tests end as their titles say; resolves to how each has ended. */
async function endsOf(runner: Runner, tests: string) {
  const kit = runner === 'vitest' ? 'vitest' : 'jest';
  const globals = runner === 'vitest' ? "import { beforeEach, expect, test } from 'vitest';" : '';
  const folder = writeProject({
    'package.json': { type: 'module', jest: { transform: {} } },
    'some.test.js': `
      import { useMockServer } from 'usage-billing-mock/${kit}';
      ${globals}
      function signal() {
        let send;
        const sent = new Promise((resolve) => { send = resolve; });
        return { send, sent };
      }
      ${tests}`,
  });
  const reporter = runner === 'vitest' ? '--reporter=verbose' : '--verbose';
  const { code, output } = await runTests(runner, folder, reporter);
  const results = output.matchAll(/^\s*([✓√✕×])(?: some\.test\.js >)? (\w+: [a-z ]*[a-z])/gm);
  const ends = [...results].map(
    ([, mark = '', title]) => `${'✓√'.includes(mark) ? 'passes' : 'fails'}, as ${title}`,
  );
  return { code, output, ends: ends.sort() };
}

/** Vitest tests of which the first ends, with its hooks, while others go on. */
const FIRST_ENDS_BEFORE = `
  const others = signal();
  const first = signal();
  beforeEach(({ task, onTestFinished }) => {
    onTestFinished(() => { if (task.name.endsWith('first')) first.send(); });
  });
  const mock = useMockServer();
  test.concurrent('passes: first', () => others.sent);
`;

describe('tests of one file that run at the same time', () => {
  test('none is given the account of another, in vitest', async () => {
    const { output, ends } = await endsOf(
      'vitest',
      `${FIRST_ENDS_BEFORE}
      test.concurrent('fails: token', () => {
        others.send();
        mock.token;
      });
      test.concurrent('fails: account', async () => {
        await first.sent;
        mock.account.customers.list();
      });
      test.concurrent('fails: matcher', async () => expect(mock).not.toHaveReceived('deleteContract'));
      test.concurrent('passes: own token', async () => {
        mock.server.account(mock.newToken()).customers.list();
      });
      test('passes: alone', () => expect(mock).not.toHaveReceived('deleteContract'));`,
    );
    expect(ends).toEqual([
      'fails, as fails: account',
      'fails, as fails: matcher',
      'fails, as fails: token',
      'passes, as passes: alone',
      'passes, as passes: first',
      'passes, as passes: own token',
    ]);
    expect(output).toContain(SENTENCE);
  });

  test('none is given the account of another, in jest', async () => {
    const { output, ends } = await endsOf(
      'jest of ES modules',
      `
      const mock = useMockServer();
      test('passes: before', () => expect(mock).not.toHaveReceived('deleteContract'));
      test.concurrent('fails: token', async () => mock.token);
      test.concurrent('fails: matcher', async () => expect(mock).not.toHaveReceived('deleteContract'));
      test.concurrent('passes: own token', async () => {
        const account = mock.server.account(mock.newToken());
        expect(account).not.toHaveReceived('deleteContract');
      });
      test('passes: after', () => expect(mock).not.toHaveReceived('deleteContract'));`,
    );
    expect(ends).toEqual([
      'fails, as fails: matcher',
      'fails, as fails: token',
      'passes, as passes: after',
      'passes, as passes: before',
      'passes, as passes: own token',
    ]);
    expect(output).toContain(SENTENCE);
  });
});
