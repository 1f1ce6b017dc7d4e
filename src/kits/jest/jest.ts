import { createRequire } from 'node:module';
import type * as JestGlobals from '@jest/globals';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { createTestMock, type TestMock } from '../account-of-test/use-mock-server.js';
import type { BillingMatchers } from '../matchers/matcher-types.js';
import { billingMatchers } from '../matchers/matchers.js';
import { STORIES, type WithStories } from './stories.js';

export { type BillingMatchers, billingMatchers, type TestMock };

const { afterAll, afterEach, beforeAll, beforeEach, expect } = jestGlobals();

expect.extend(billingMatchers);

/**
 * Starts a mock for the tests of this file, with these server options, and gives each test its own
 * account, through `mock.token`. Call it outside tests. In the test environment
 * `usage-billing-mock/jest-environment`, a failing test shows the requests that its account received.
 *
 * @example
 * import { useMockServer } from 'usage-billing-mock/jest';
 *
 * const mock = useMockServer();
 */
export function useMockServer(options?: MockServerOptions): TestMock {
  return createTestMock(
    {
      beforeAll,
      afterAll,
      eachTest(begin) {
        let end: (() => void) | undefined;
        beforeEach(() => {
          const test = begin({ id: runningTest(), isConcurrent: false });
          end = test.end;
          (globalThis as WithStories)[STORIES]?.push(test.story);
        });
        afterEach(() => end?.());
      },
      place: () => ({ file: expect.getState().testPath, test: runningTest() }),
      caller: runningTest,
    },
    options,
  );
}

/** The test that is calling; in jest 29, unless it is concurrent, the test that began last. */
function runningTest(): string | undefined {
  const { currentConcurrentTestName, currentTestName } = expect.getState();
  return currentConcurrentTestName?.() ?? currentTestName;
}

/** jest's globals. Throws an error with advice if another runner runs the file. */
function jestGlobals(): typeof JestGlobals {
  try {
    // A failing import would be reported before any code of this package could explain it.
    return createRequire(import.meta.url)('@jest/globals') as typeof JestGlobals;
  } catch (error) {
    throw new Error(
      'usage-billing-mock/jest needs jest, which does not run this file. Under vitest import usage-billing-mock/vitest; under another runner use createMockServer from usage-billing-mock.',
      { cause: error },
    );
  }
}

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends BillingMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends BillingMatchers<R> {}
  }
}
