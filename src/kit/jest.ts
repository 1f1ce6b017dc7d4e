import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { MockServerOptions } from '../options/option-table.js';
import { type BillingMatchers, billingMatchers } from './matchers.js';
import { TELL_ON_FAILURE } from './tell-on-failure.js';
import { createTestMock, type TestMock } from './test-mock.js';

export { type BillingMatchers, billingMatchers, type TestMock };

expect.extend(billingMatchers);

/**
 * Starts a mock once for this file of tests and stops it after them; every test gets an account of
 * its own by `mock.token`. To be called outside of tests. With the test environment
 * `usage-billing-mock/jest-environment` a failing test shows what its account was asked.
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
        beforeEach(() => hook((tell) => Object.assign(globalThis, { [TELL_ON_FAILURE]: tell }))),
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
