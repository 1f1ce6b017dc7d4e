import { afterAll, beforeAll, beforeEach, expect, type TestContext } from 'vitest';
import {
  createTestMock,
  type TestMock,
  type TestMockOptions,
} from '../account-of-test/use-mock-server.js';
import type { BillingMatchers, WaitingOptions } from '../matchers/matcher-types.js';
import { billingMatchers } from '../matchers/matchers.js';

export {
  type BillingMatchers,
  billingMatchers,
  type TestMock,
  type TestMockOptions,
  type WaitingOptions,
};

expect.extend(billingMatchers);

/**
 * Gives every test its own account, through `mock.token`: on the mock that
 * `usage-billing-mock/vitest/global-setup` started for all files, or else on one for this file.
 * Call it outside tests. A failing test shows the requests that its account received.
 *
 * @example
 * import { useMockServer } from 'usage-billing-mock/vitest';
 *
 * const mock = useMockServer();
 */
export function useMockServer(options?: TestMockOptions): TestMock {
  return createTestMock(
    {
      beforeAll,
      afterAll,
      eachTest: (begin) =>
        beforeEach(({ task, onTestFailed, onTestFinished }) => {
          const end = begin({
            id: task.id,
            isConcurrent: task.concurrent === true,
            showOnFailure: (text) =>
              onTestFailed(async () => console.error(await text(errorsOf(task)))),
          });
          // Not in afterEach, which vitest skips if an afterEach of the test file fails.
          onTestFinished(end);
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

/** Why a test failed; empty if it was meant to fail, or will be tried again. */
function errorsOf({ fails, retry = 0, result }: TestContext['task']): readonly unknown[] {
  const tries = typeof retry === 'number' ? retry : (retry.count ?? 0);
  const isLastTry = (result?.retryCount ?? 0) >= tries;
  return (!fails && isLastTry && result?.errors) || [];
}

declare module 'vitest' {
  interface Matchers<T> extends BillingMatchers<void> {}
}
