import type { BrowserContext, TestInfo } from '@playwright/test';
import { storyOf } from '../account-of-test/received-requests.js';
import type { MockOfTest } from '../account-of-test/test-account.js';
import { beginTest } from '../awaited-calls/forgotten-calls.js';
import { withAwaitedVerbs } from '../awaited-calls/must-be-awaited.js';
import type { BillingOptions } from './billing-options.js';
import { ACCOUNT_COOKIE, ACCOUNT_HEADER, carriedAccount } from './carried-account.js';
import { intercept } from './intercept-requests.js';
import { attachAccount } from './playwright-attach.js';
import type { MockOfWorker, MocksOfWorker } from './worker-mocks.js';

/**
 * The mock as one test sees it: one server for all tests, and a separate account for each.
 *
 * @example
 * test('a lost answer', async ({ billing }) => {
 *   await billing.account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
 *   await expect(billing).not.toHaveReceived('deleteContract');
 * });
 */
export interface Billing extends MockOfTest {
  /**
   * What carries the account of the test to the app's own server, for requests that the test sends
   * itself; the browser sends a cookie to `billingOptions.app`.
   *
   * @example
   * test('a page', async ({ billing, request }) => {
   *   await request.get('http://localhost:3000/', { headers: billing.headers });
   * });
   */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Does for a context that the test opens by itself, as with `browser.newContext()`, what
   * `billingOptions` says; the fixtures `context` and `page` have it done.
   *
   * @example
   * test('two windows', async ({ billing, browser }) => {
   *   const context = await browser.newContext();
   *   await billing.join(context);
   * });
   */
  join(context: BrowserContext): Promise<void>;
}

/** Opens an account for a test; attaches to its report what was received if it fails. */
export async function useBilling(
  mocks: MocksOfWorker,
  options: BillingOptions,
  testInfo: TestInfo,
  use: (billing: Billing) => Promise<void>,
): Promise<void> {
  const mock = await mocks.open(options);
  const tokens = new Set<string>();
  const billing = createBilling(mock, options, testInfo, tokens);
  const failIfForgotten = beginTest(testInfo.testId);
  await use(billing);
  const forgotten = await failIfForgotten().catch((error: unknown) => error);
  if (forgotten !== undefined || testInfo.status !== testInfo.expectedStatus) {
    const { seed } = mock;
    const title = `usage-billing-mock${seed === undefined ? '' : ` (seed ${seed})`}: the account '${billing.token}' received`;
    await attachAccount(
      testInfo,
      billing.account,
      async () => `${title}\n${await billing.story()}`,
    );
  } else if (mock.outlivesRun) {
    for (const token of tokens) await mock.server.closeAccount(token);
  }
  if (forgotten !== undefined) throw forgotten;
}

function createBilling(
  { url, server, newName, watchStrays }: MockOfWorker,
  options: BillingOptions,
  testInfo: TestInfo,
  tokens: Set<string>,
): Billing {
  function newToken(): string {
    const test = testInfo.titlePath.slice(1).join(' ');
    const added = newName({ file: testInfo.file, test });
    tokens.add(added);
    return added;
  }

  const token = newToken();
  const account = server.account(token);
  const strays = watchStrays(tokens);
  const carried = carriedAccount(url, token);
  return {
    url,
    token,
    account: withAwaitedVerbs(account, 'billing.account', testInfo.testId),
    journal: withAwaitedVerbs(account.journal, 'billing.journal', testInfo.testId),
    server,
    headers: { [ACCOUNT_HEADER]: carried },
    newToken,
    story: async () => `${await storyOf(account.journal)}${await strays()}`,
    async join(context) {
      const { app } = options;
      const cookie = { name: ACCOUNT_COOKIE, value: carried, httpOnly: true };
      if (app !== undefined) await context.addCookies([{ ...cookie, url: new URL(app).origin }]);
      await intercept(context, options, { url, token, tokens });
    },
  };
}
