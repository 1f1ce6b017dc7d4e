import { test as base, expect as baseExpect } from '@playwright/test';
import type { BillingMatchers, WaitingOptions } from '../matchers/matcher-types.js';
import { type Billing, useBilling } from './billing-fixture.js';
import { type BillingOptions, completeOptions } from './billing-options.js';
import { endMatchers, retryingMatchers } from './retrying-matchers.js';
import { createWorkerMocks, type WorkerMocks } from './worker-mocks.js';

export type { Billing, BillingMatchers, BillingOptions, WaitingOptions };

/**
 * The fixtures and options that this kit adds to Playwright.
 *
 * @example
 * const arrange = async ({ billing }: BillingFixtures) => billing.account.clock.freeze();
 */
export interface BillingFixtures {
  /** The mock, with a separate account for the test. */
  readonly billing: Billing;
  /** Which browser requests are answered, and by which mock. */
  readonly billingOptions: BillingOptions;
}

interface OwnFixtures extends BillingFixtures {
  readonly billingExpectations: undefined;
}

/**
 * Playwright's `test` with the fixture `billing`. A test that uses it, `context` or `page` gets its
 * own account, on a mock of its worker or on the one at `billingOptions.url`. The report of a failed
 * test has the requests that its account received.
 *
 * @example
 * import { expect, test } from 'usage-billing-mock/playwright';
 *
 * test('a customer is shown', async ({ page, billing }) => {
 *   await page.goto('/customers/65a000000000000000000001');
 *   await expect(billing).toHaveReceived('getCustomer');
 * });
 */
export const test = base.extend<OwnFixtures, { readonly billingMocks: WorkerMocks }>({
  billingOptions: [{}, { option: true }],
  billingMocks: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads it.
    async ({}, use, { workerIndex }) => {
      const mocks = createWorkerMocks(workerIndex);
      await use(mocks);
      await mocks.stop();
    },
    { scope: 'worker', box: true },
  ],
  billingExpectations: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads it.
    async ({}, use) => {
      await use(undefined);
      await endMatchers();
    },
    { auto: true, box: true },
  ],
  billing: ({ billingMocks, billingOptions, baseURL }, use, testInfo) =>
    useBilling(billingMocks, completeOptions(billingOptions, baseURL), testInfo, use),
  context: async ({ context, billing }, use) => {
    await billing.join(context);
    await use(context);
    // Requests that the page still waits for must not fail a test that has passed.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  },
});

/**
 * Playwright's `expect` with the matchers of {@link BillingMatchers}. Await each.
 *
 * @example
 * import { expect, test } from 'usage-billing-mock/playwright';
 *
 * test('nothing is deleted', async ({ billing }) => {
 *   await expect(billing).not.toHaveReceived('deleteContract');
 * });
 */
export const expect = baseExpect.extend(retryingMatchers()) as typeof baseExpect;

declare global {
  namespace PlaywrightTest {
    interface Matchers<R, T>
      extends BillingMatchers<Promise<Awaited<R>>, [options?: WaitingOptions]> {}
  }
}
