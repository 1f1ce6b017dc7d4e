import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
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
        beforeEach(({ task, onTestFailed, onTestFinished }) => {
          const { story, end } = begin(task.id, task.concurrent === true);
          onTestFailed(() => console.error(story()));
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

/** The type parameters of vitest's own interfaces differ between its versions. */
declare global {
  namespace Chai {
    interface Assertion extends BillingMatchers<void> {}
  }
}
