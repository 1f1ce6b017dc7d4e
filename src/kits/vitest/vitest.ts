import { afterAll, beforeAll, beforeEach, expect, type TestContext } from 'vitest';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { createTestMock, type TestMock } from '../account-of-test/use-mock-server.js';
import type { BillingMatchers } from '../matchers/matcher-types.js';
import { billingMatchers } from '../matchers/matchers.js';

export { type BillingMatchers, billingMatchers, type TestMock };

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
  return createTestMock(
    {
      beforeAll,
      afterAll,
      eachTest: (begin) =>
        beforeEach(({ task, onTestFinished }) => {
          const { story, end } = begin({
            id: task.id,
            isConcurrent: task.concurrent === true,
            isOver: () => task.result?.duration !== undefined,
          });
          // Not in afterEach, which vitest skips if an afterEach of the test file fails.
          onTestFinished(() => {
            if (hasFailed(task)) console.error(story());
            end();
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

/** Whether the test fails with this attempt; vitest decides on `test.fails` later. */
function hasFailed({ result, fails = false, retry = 0 }: TestContext['task']): boolean {
  if (result?.state !== 'fail') return fails && result?.state === 'pass';
  const { count = 0, condition = undefined } = typeof retry === 'object' ? retry : { count: retry };
  // Whether the condition lets vitest try again is only known afterwards.
  return !fails && (condition !== undefined || (result.retryCount ?? 0) >= count);
}

/** The type parameters of vitest's own interfaces differ between its versions. */
declare global {
  namespace Chai {
    interface Assertion extends BillingMatchers<void> {}
  }
}
