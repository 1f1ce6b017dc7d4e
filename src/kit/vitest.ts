import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { type BillingMatchers, billingMatchers } from './matchers.js';
import { createTestMock, type TestMock } from './test-mock.js';

export { type BillingMatchers, billingMatchers, type TestMock };

expect.extend(billingMatchers);

/**
 * Starts a mock once for this file of tests and stops it after them; every test gets a separate
 * account by `mock.token`, and one that fails shows the requests that its account received. Call it
 * outside of tests.
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
        beforeEach(({ onTestFailed }) => hook((text) => onTestFailed(() => console.error(text())))),
    },
    options,
  );
}

declare module 'vitest' {
  interface Matchers<T> extends BillingMatchers<void> {}
}
