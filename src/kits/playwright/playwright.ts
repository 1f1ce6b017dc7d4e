import {
  test as base,
  expect as baseExpect,
  type ExpectMatcherState,
  type MatcherReturnType,
} from '@playwright/test';
import { beginTest } from '../awaited-calls/report-unawaited-calls.js';
import type { MatcherContext } from '../matchers/find-calls.js';
import type { BillingMatchers, WaitingOptions } from '../matchers/matcher-types.js';
import { billingMatchers } from '../matchers/matchers.js';
import { type Billing, useBilling } from './billing-fixture.js';
import { type BillingOptions, completeOptions } from './billing-options.js';
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
    async ({}, use, { testId }) => {
      const failIfUnawaited = beginTest(testId);
      await use(undefined);
      await failIfUnawaited();
    },
    { auto: true, box: true },
  ],
  billing: ({ billingMocks, billingOptions, baseURL }, use, testInfo) =>
    useBilling(billingMocks, completeOptions(billingOptions, baseURL), testInfo, use),
  proxy: async ({ proxy, billingMocks, billingOptions, baseURL }, use) => {
    const options = completeOptions(billingOptions, baseURL);
    await use(options.onlyMock ? await billingMocks.refuseOthers(options, baseURL) : proxy);
  },
  context: async ({ context, billing }, use) => {
    await billing.join(context);
    await use(context);
    // Requests that the page still waits for must not fail a test that has passed.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  },
});

/**
 * Playwright's `expect` with the matchers of {@link BillingMatchers}. Await each, or its test fails.
 *
 * @example
 * import { expect, test } from 'usage-billing-mock/playwright';
 *
 * test('nothing is deleted', async ({ billing }) => {
 *   await expect(billing).not.toHaveReceived('deleteContract');
 * });
 */
export const expect = baseExpect.extend(playwrightMatchers()) as typeof baseExpect;

type Matcher = (
  this: ExpectMatcherState,
  received: unknown,
  ...given: unknown[]
) => Promise<MatcherReturnType>;

type MatcherOfKits = (
  this: MatcherContext,
  received: unknown,
  ...given: never[]
) => Promise<MatcherReturnType>;

function playwrightMatchers(): Record<string, Matcher> {
  const entries = Object.entries<MatcherOfKits>({ ...billingMatchers });
  return Object.fromEntries(
    entries.map(([name, match]): [string, Matcher] => [
      name,
      function (received, ...given) {
        const context = { isNot: this.isNot, timeoutMs: this.timeout, equals };
        const outcome = match.call(context, received, ...(given as never[]));
        // `.resolves` awaits the outcome itself, and passes a plain promise to the test.
        return this.promise ? outcome.then((result) => result) : outcome;
      },
    ]),
  );
}

/** Playwright's own comparison, which it exposes only through asymmetric matchers. */
function equals(one: unknown, other: unknown): boolean {
  const sample = baseExpect.objectContaining({ value: other }) as unknown as {
    asymmetricMatch(received: unknown): boolean;
  };
  return sample.asymmetricMatch({ value: one });
}

declare global {
  namespace PlaywrightTest {
    interface Matchers<R, T> extends BillingMatchers<Awaited<R>> {}
  }
}
