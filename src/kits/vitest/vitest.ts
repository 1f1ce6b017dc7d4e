import { afterAll, beforeAll, beforeEach, expect, type TestContext } from 'vitest';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { createTitles, type EndOfTest } from '../account-of-test/end-of-test.js';
import { createTestMock, type TestMock } from '../account-of-test/use-mock-server.js';
import type { BillingMatchers, WaitingOptions } from '../matchers/matcher-types.js';
import { billingMatchers } from '../matchers/matchers.js';

export { type BillingMatchers, billingMatchers, type TestMock, type WaitingOptions };

expect.extend(billingMatchers);

/**
 * Starts a mock for the tests of this file, with these server options, and gives each test its own
 * account, through `mock.token`. Call it outside tests. A failing test shows the requests that its
 * account received.
 *
 * @example
 * import { useMockServer } from 'usage-billing-mock/vitest';
 *
 * const mock = useMockServer();
 */
export function useMockServer(options?: MockServerOptions): TestMock {
  const titleOf = createTitles();
  return createTestMock(
    {
      beforeAll,
      afterAll,
      eachTest: (begin) =>
        beforeEach(({ task, onTestFailed, onTestFinished }) => {
          let running: EndOfTest | undefined;
          const mark = async (errors: readonly unknown[] | undefined) => {
            const title = titleOf(pathOf(task).join(' › '), task.id, task.file.projectName);
            if (errors) await running?.mark({ errors, title });
          };
          const end = begin({
            id: task.id,
            isConcurrent: task.concurrent === true,
            atEnd(given) {
              running = given;
              onTestFailed(async () => {
                const [story] = await Promise.all([given.story(), mark(errorsOf(task))]);
                console.error(story);
              });
            },
          });
          // Not in afterEach, which vitest skips if an afterEach of the test file fails.
          onTestFinished(async () => {
            await end();
            if (task.result?.state === 'pass') await mark(task.fails ? [PASSED] : []);
          });
        }),
      place() {
        const { testPath: file, currentTestName: test } = expect.getState();
        return { file, test };
      },
      caller: () => undefined,
    },
    options,
  );
}

type Task = TestContext['task'];

/** What vitest says, only later, of a test that was meant to fail and passed. */
const PASSED = new Error('Expect test to fail');

/** Why a test failed: empty if it was meant to fail, undefined if it will be tried again. */
function errorsOf({ fails, retry = 0, result }: Task): readonly unknown[] | undefined {
  if (fails) return [];
  const tries = typeof retry === 'number' ? retry : (retry.count ?? 0);
  return (result?.retryCount ?? 0) >= tries ? result?.errors : undefined;
}

/** The titles of a test's groups and of the test. */
function pathOf({ name, suite }: Pick<Task, 'name' | 'suite'>): readonly string[] {
  return suite ? [...pathOf(suite), name] : [name];
}

/** The type parameters of vitest's own interfaces differ between its versions. */
declare global {
  namespace Chai {
    interface Assertion extends BillingMatchers<void> {}
  }
}
