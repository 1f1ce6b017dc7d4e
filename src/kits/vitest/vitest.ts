import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import {
  createTestMock,
  type TestMock,
  type TestMockOptions,
} from '../account-of-test/use-mock-server.js';
import type { BillingMatchers, WaitingOptions } from '../matchers/billing-matchers.js';
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
 * Gives every test its own account, through `mock.token`: on the mock that the global set-up
 * `usage-billing-mock/vitest/global-setup` started for all files, or else on one for this file. A
 * failing test shows the requests that its account received. Call it outside tests.
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
              onTestFailed(async () =>
                console.error(await text((!task.fails && task.result?.errors) || [])),
              ),
          });
          // Not by afterEach, which vitest leaves out when that of a test file fails.
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

declare module 'vitest' {
  interface Matchers<T> extends BillingMatchers<void> {}
}
