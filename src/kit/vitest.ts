import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { MockServerOptions } from '../options/option-table.js';
import { type BillingMatchers, billingMatchers } from './matchers.js';
import { createTestMock, type TestMock } from './test-mock.js';

export { type BillingMatchers, billingMatchers, type TestMock };

expect.extend(billingMatchers);

/**
 * Starts a mock once for this file of tests and stops it after them; every test gets an account of
 * its own by `mock.token`, and one that fails shows what its account was asked. To be called outside
 * of tests.
 *
 * @example
 * import { useMockServer } from 'usage-billing-mock/vitest';
 *
 * const mock = useMockServer({ dataset: 'edge-cases' });
 */
export function useMockServer(options?: MockServerOptions): TestMock {
  return createTestMock(
    {
      beforeAll,
      afterAll,
      beforeEach: (hook) =>
        beforeEach(({ onTestFailed }) => hook((tell) => onTestFailed(() => console.error(tell())))),
    },
    options,
  );
}

declare module 'vitest' {
  interface Matchers<T> extends BillingMatchers<void> {}
}
