import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { type BillingMatchers, billingMatchers } from './matchers.js';
import { SHOW_ON_FAILURE } from './show-on-failure.js';
import { createTestMock, type TestMock } from './test-mock.js';

export { type BillingMatchers, billingMatchers, type TestMock };

expect.extend(billingMatchers);

/**
 * Starts a mock once for this file of tests and stops it after them; every test gets a separate
 * account by `mock.token`. Call it outside of tests. With the test environment
 * `usage-billing-mock/jest-environment` a failing test shows the requests that its account received.
 *
 * @example
 * import { useMockServer } from 'usage-billing-mock/jest';
 *
 * const mock = useMockServer({ dataset: 'edge-cases' });
 */
export function useMockServer(options?: MockServerOptions): TestMock {
  return createTestMock(
    {
      beforeAll,
      afterAll,
      beforeEach: (hook) =>
        beforeEach(() => hook((text) => Object.assign(globalThis, { [SHOW_ON_FAILURE]: text }))),
    },
    options,
  );
}

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends BillingMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends BillingMatchers<R> {}
  }
}
