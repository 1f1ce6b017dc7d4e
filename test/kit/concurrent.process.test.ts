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
  test('a call that is awaited later fails no other test, in vitest', async () => {
    const { output, ends } = await endsOf(
      'vitest',
      `${FIRST_ENDS_BEFORE}
      test.concurrent('passes: awaited later', async () => {
        const account = mock.server.account(mock.newToken());
        const later = expect(account).not.toHaveReceived('deleteContract');
        others.send();
        await first.sent;
        await later;
      });`,
    );
    expect([output, ends]).toEqual([
      expect.any(String),
      ['passes, as passes: awaited later', 'passes, as passes: first'],
    ]);
  });

  test('an unawaited call fails a test that had not ended before it, in vitest', async () => {
    const { output, ends } = await endsOf(
      'vitest',
      `${FIRST_ENDS_BEFORE}
      test.concurrent('fails: not awaited', async () => {
        expect({ status: 404 }).not.toMatchContract('getCustomer');
        others.send();
        await first.sent;
      });`,
    );
    expect(ends).toEqual(['fails, as fails: not awaited', 'passes, as passes: first']);
    expect(output).toContain('expect(…).toMatchContract(…) was not awaited');
  });

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
        await mock.account.customers.list();
      });
      test.concurrent('fails: matcher', () => expect(mock).not.toHaveReceived('deleteContract'));
      test.concurrent('passes: own token', async () => {
        await mock.server.account(mock.newToken()).customers.list();
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
      test.concurrent('fails: matcher', () => expect(mock).not.toHaveReceived('deleteContract'));
      test.concurrent('passes: own token', async () => {
        const account = mock.server.account(mock.newToken());
        await expect(account).not.toHaveReceived('deleteContract');
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

  test('an unawaited call fails their file, in jest, which runs no hook for them', async () => {
    const { code, output } = await endsOf(
      'jest of ES modules',
      `
      const mock = useMockServer();
      test.concurrent('passes: not awaited', async () => {
        expect({ status: 404 }).not.toMatchContract('getCustomer');
      });`,
    );
    expect(code).toBe(1);
    expect(output).toContain('expect(…).toMatchContract(…) was not awaited');
  });
});

test.each<Runner>(['jest of ES modules', 'vitest'])(
  'every call that was not awaited is reported with its line, in %s',
  async (runner) => {
    const { output } = await endsOf(
      runner,
      `
      const mock = useMockServer();
      test('fails: three', async () => {
        mock.account.clock.freeze();
        mock.account.faults.add({ operationId: 'getCustomer', kind: 'status', status: 503 });
        expect(mock).toHaveReceived('getCustomer');
        await mock.fetch('/measurements');
      });`,
    );
    expect(output).toContain('mock.account.clock.freeze(…) was not awaited');
    expect(output).toMatch(/Nor was mock\.account\.faults\.add\(…\), at .*some\.test\.js:13:/);
    expect(output).toMatch(/Nor was expect\(…\)\.toHaveReceived\(…\), at .*some\.test\.js:14:/);
  },
);
