import type { BrowserContext, TestInfo } from '@playwright/test';
import type { RunningMock } from '../account-of-test/running-mock.js';
import { openTestAccount, type TestAccount } from '../account-of-test/test-account.js';
import { beginTest } from '../awaited-calls/report-unawaited-calls.js';
import type { BillingOptions } from './billing-options.js';
import { ACCOUNT_COOKIE, ACCOUNT_HEADER, carriedAccount } from './carried-account.js';
import { intercept } from './intercept-requests.js';
import type { WorkerMocks } from './worker-mocks.js';

/**
 * The mock as one test sees it: other tests may share the server, but not the account.
 *
 * @example
 * test('a lost response', async ({ billing }) => {
 *   await billing.account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
 *   await expect(billing).not.toHaveReceived('deleteContract');
 * });
 */
export interface Billing extends TestAccount {
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
  const { billing, heading, mark } = createBilling(mock, options, testInfo, tokens);
  const failIfUnawaited = beginTest(testInfo.testId);
  await use(billing);
  const unawaited = await failIfUnawaited().catch((error: unknown) => error);
  const { status, expectedStatus } = testInfo;
  if (unawaited !== undefined || status !== expectedStatus) {
    const errors = [...testInfo.errors, ...(unawaited === undefined ? [] : [unawaited])];
    if (errors.length === 0) errors.push(new Error(`Expected ${expectedStatus}, but ${status}.`));
    const isLastTry = testInfo.retry >= testInfo.project.retries;
    if (isLastTry && status !== 'interrupted') await mark({ errors });
    await attachAccount(testInfo, billing, heading);
  } else {
    if (status !== 'skipped') await mark({ errors: [] });
    // A mock given by its URL outlives the run, so clean up.
    if (options.url !== undefined)
      for (const token of tokens) await mock.server.closeAccount(token);
  }
  if (unawaited !== undefined) throw unawaited;
}

function createBilling(
  mock: RunningMock,
  options: BillingOptions,
  testInfo: TestInfo,
  tokens: Set<string>,
) {
  const { file, testId: id } = testInfo;
  const title = testInfo.titlePath.slice(1).join(' › ');

  function newToken(): string {
    const added = mock.newToken({ file, test: title });
    tokens.add(added);
    return added;
  }

  const { url, server } = mock;
  const token = newToken();
  const { heading, mark, ...opened } = openTestAccount(mock, {
    ...{ id, token, tokens, variable: 'billing', file },
    title: wholeTitle(title, testInfo),
  });
  const carried = carriedAccount(url, token);
  const billing: Billing = {
    ...opened,
    url,
    server,
    headers: { [ACCOUNT_HEADER]: carried },
    newToken,
    async join(context) {
      const { app } = options;
      const cookie = { name: ACCOUNT_COOKIE, value: carried, httpOnly: true };
      if (app !== undefined) await context.addCookies([{ ...cookie, url: new URL(app).origin }]);
      await intercept(context, options, { url, token, tokens });
    },
  };
  return { billing, heading, mark };
}

/** The title with what else tells runs of one test apart. */
function wholeTitle(title: string, { project, repeatEachIndex }: TestInfo): string {
  const repeated = repeatEachIndex > 0 ? ` (repeat ${repeatEachIndex})` : '';
  return `${project.name && `[${project.name}] `}${title}${repeated}`;
}

/** The most changed records to attach in full; nobody reads more. */
const MOST_RECORDS = 200;

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
    await attachJson(
      'billing-requests.har',
      await account.journal.toHar(undefined, { values: 'documented' }),
    );
    const changes = await account.changes();
    if (changes.length === 0) return;
    const withRecords = changes.slice(0, MOST_RECORDS).map(async (change) => ({
      ...change,
      record: await account[change.collection].get(change.id),
    }));
    const listed = [...(await Promise.all(withRecords)), ...changes.slice(MOST_RECORDS)];
    await attachJson('billing-changes.json', listed);
  } catch (error) {
    // The mock may have ended, but the failure of the test matters more.
    await attach('billing-requests-unknown.txt', (error as Error).message);
  }
}
