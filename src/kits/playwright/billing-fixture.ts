import type { BrowserContext, TestInfo } from '@playwright/test';
import type { AccountControl, JournalControl, Remote, RemoteServer } from '#spec';
import { describeEvidence, headingOf } from '../account-of-test/describe-requests.js';
import type { BillingOptions } from './billing-options.js';
import { ACCOUNT_COOKIE, ACCOUNT_HEADER, carriedAccount } from './carried-account.js';
import { intercept } from './intercept-requests.js';
import { markTest } from './mark-test.js';
import { endMatchers, remoteEvidence } from './retrying-matchers.js';
import type { WorkerMock, WorkerMocks } from './worker-mocks.js';

/**
 * The mock as one test sees it: other tests may share the server, but not the account.
 *
 * @example
 * test('a lost response', async ({ billing }) => {
 *   await billing.account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
 *   await expect(billing).not.toHaveReceived('deleteContract');
 * });
 */
export interface Billing {
  /** The base URL of the mock, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The bearer token of the running test. It opens an account that no other test uses. */
  readonly token: string;
  /** The account of the running test, to arrange and inspect; await every call. */
  readonly account: Remote<AccountControl>;
  /** The requests that the account of the running test received. */
  readonly journal: Remote<JournalControl>;
  /** The server, which other tests use too. */
  readonly server: RemoteServer;
  /** Creates another token, for a test that needs two accounts. */
  newToken(): string;
  /**
   * Returns the text that a failing test shows: the requests that its account received, latest
   * first; requests since it began that reached no account or, if its worker runs the mock, an
   * account that belongs to no test; faults that have yet to fire, and stubs that were not called.
   */
  story(): Promise<string>;
  /**
   * Headers that tell the app's own server which account is the test's, for requests that the test
   * sends itself. The browser sends a cookie to `billingOptions.app` instead.
   *
   * @example
   * test('a page', async ({ billing, request }) => {
   *   await request.get('http://localhost:3000/', { headers: billing.headers });
   * });
   */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Applies `billingOptions` to a context that the test opens itself, for example with
   * `browser.newContext()`. The fixtures `context` and `page` already have them.
   *
   * @example
   * test('two windows', async ({ billing, browser }) => {
   *   const context = await browser.newContext();
   *   await billing.join(context);
   * });
   */
  join(context: BrowserContext): Promise<void>;
}

/** Opens an account for a test; if the test fails, attaches what the account received. */
export async function useBilling(
  mocks: WorkerMocks,
  options: BillingOptions,
  testInfo: TestInfo,
  use: (billing: Billing) => Promise<void>,
): Promise<void> {
  const mock = await mocks.open(options);
  const tokens = new Set<string>();
  const billing = createBilling(mock, options, testInfo, tokens);
  await use(billing);
  await endMatchers();
  const hasPassed = testInfo.status === testInfo.expectedStatus;
  if (!hasPassed)
    await attachAccount(testInfo, billing, headingOf(billing.token, billing.url, mock.seed));
  // The mock of a worker ends with it, but one given by its URL shows how its tests ended.
  if (options.url === undefined) return;
  await markTest(billing.account, testInfo);
  if (hasPassed) for (const token of tokens) await mock.server.closeAccount(token);
}

function createBilling(
  { server, newToken: tokenFor, watchStrays }: WorkerMock,
  options: BillingOptions,
  { file, titlePath }: TestInfo,
  tokens: Set<string>,
): Billing {
  function newToken(): string {
    const added = tokenFor({ file, test: titlePath.slice(1).join(' › ') });
    tokens.add(added);
    return added;
  }

  const { url } = server;
  const token = newToken();
  const account = server.account(token);
  const strays = watchStrays(tokens);
  const carried = carriedAccount(url, token);
  return {
    ...{ url, token, account, server, newToken },
    journal: account.journal,
    headers: { [ACCOUNT_HEADER]: carried },
    story: async () => describeEvidence(await remoteEvidence(account), await strays()),
    async join(context) {
      const { app } = options;
      const cookie = { name: ACCOUNT_COOKIE, value: carried, httpOnly: true };
      if (app !== undefined) await context.addCookies([{ ...cookie, url: new URL(app).origin }]);
      await intercept(context, options, { url, token, tokens });
    },
  };
}

/** The most changed records to attach in full; nobody reads more. */
const MAX_RECORDS = 200;

async function attachAccount(
  testInfo: TestInfo,
  { account, story }: Billing,
  heading: string,
): Promise<void> {
  const attach = (name: string, body: string, contentType = 'text/plain') =>
    testInfo.attach(name, { body, contentType });
  const attachJson = (name: string, value: unknown) =>
    attach(name, JSON.stringify(value, undefined, 2), 'application/json');
  try {
    // The heading goes last, because a terminal shows only the beginning of a text.
    await attach('billing-requests.txt', `${await story()}\n\n${heading}`);
    await attachJson('billing-requests.har', await account.journal.toHar());
    const changes = await account.changes();
    if (changes.length === 0) return;
    const withRecords = changes.slice(0, MAX_RECORDS).map(async (change) => ({
      ...change,
      record: await account[change.collection].get(change.id),
    }));
    const listed = [...(await Promise.all(withRecords)), ...changes.slice(MAX_RECORDS)];
    await attachJson('billing-changes.json', listed);
  } catch (error) {
    // The mock may have ended, but the failure of the test matters more.
    await attach('billing-requests-unknown.txt', (error as Error).message);
  }
}
