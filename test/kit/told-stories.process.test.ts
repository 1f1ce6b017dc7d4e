import { type Runner, runTests, writeProject } from '../support/runner.js';

/** Runs a file of tests that call `get(mock, path)`; returns the output. */
async function outputOf(runner: Runner, tests: string): Promise<string> {
  const kit = runner === 'vitest' ? 'vitest' : 'jest';
  const globals =
    runner === 'vitest'
      ? 'import { afterAll, beforeAll, describe, expect, test } from "vitest";'
      : '';
  const folder = writeProject({
    'package.json': {
      type: 'module',
      jest: { transform: {}, testEnvironment: 'usage-billing-mock/jest-environment' },
    },
    'some.test.js': `
      import { useMockServer } from 'usage-billing-mock/${kit}';
      ${globals}
      const get = ({ url, token }, path) =>
        fetch(url + path, { headers: { Authorization: 'Bearer ' + token } });
      ${tests}`,
  });
  return (await runTests(runner, folder)).output;
}

const RUNNERS: readonly Runner[] = ['jest of ES modules', 'vitest'];

describe.each(RUNNERS)('what failed tests show in %s', (runner) => {
  const isJest = runner !== 'vitest';

  test('is the story of each mock, titled by its address', async () => {
    const output = await outputOf(
      runner,
      `
      const outer = useMockServer();
      describe('a group', () => {
        const inner = useMockServer({ dataset: 'empty' });
        test('fails', async () => {
          await get(outer, '/customers/of-outer');
          await get(inner, '/customers/of-inner');
          console.log('outer=' + outer.url + ' inner=' + inner.url);
          expect(1).toBe(2);
        });
      });
      test('fails outside', () => expect(1).toBe(2));`,
    );
    const [, outer, inner] = /outer=(\S+) inner=(\S+)/.exec(output) ?? [];
    const stories = output.split('usage-billing-mock at ').slice(1);
    const first = (story: string) => /^(\S+) .*\n +(no request|.* -> \d+)/.exec(story)?.slice(1);
    expect(stories.map(first)).toEqual(
      expect.arrayContaining([
        [outer, '1. GET /customers/of-outer -> 404'],
        [inner, '1. GET /customers/of-inner -> 404'],
        [outer, 'no request'],
      ]),
    );
    expect(stories).toHaveLength(3);
  });

  test('is nothing of tests that pass in the end, or fail as they are meant to', async () => {
    const output = await outputOf(
      runner,
      `
      const mock = useMockServer();
      const attempts = {};
      const attempt = (name) => (attempts[name] = (attempts[name] ?? 0) + 1);
      ${isJest ? 'import.meta.jest.retryTimes(2);' : ''}
      const retried = ${isJest ? 'test' : '(title, act) => test(title, { retry: 2 }, act)'};
      retried('passes at last', async () => {
        await get(mock, '/customers/at-last');
        expect(attempt('one')).toBe(3);
      });
      retried('never passes', async () => {
        await get(mock, '/customers/never-' + attempt('other'));
        expect(1).toBe(2);
      });
      ${isJest ? 'test.failing' : 'test.fails'}('fails as wanted', async () => {
        await get(mock, '/customers/as-wanted');
        expect(1).toBe(2);
      });
      ${isJest ? 'test.failing' : 'test.fails'}('passes unwanted', () => get(mock, '/customers/unwanted'));`,
    );
    const told = [...output.matchAll(/GET \/customers\/(\S+) -> 404/g)].map(([, id]) => id);
    expect(told.sort()).toEqual(['never-3', 'unwanted']);
  });

  test('cannot be asked for after the tests', async () => {
    const output = await outputOf(
      runner,
      `
      const mock = useMockServer();
      const told = (when) => { try { console.log(when + ' ' + mock.token); } catch (error) { console.log(when + ': ' + error.message); } };
      beforeAll(() => told('before'));
      afterAll(() => told('after'));
      test('passes', () => {});`,
    );
    expect(output).toContain('before: No test is running, so the mock has no token');
    expect(output).toContain('after: No test is running, so the mock has no token');
  });
});
