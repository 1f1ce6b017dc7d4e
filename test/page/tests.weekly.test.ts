import { createTestTokens } from '../../src/kits/account-of-test/test-tokens.js';
import { openAccounts, openView, usePages, waitForAccount } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

interface Ended {
  readonly outcome: 'passed' | 'failed';
  readonly title: string;
  readonly file?: string;
  readonly message?: string;
  readonly durationMs?: number;
}

/** Marks tests as a kit does whose runner has this run and worker. */
function runOf(url: string, run: string, worker = '0') {
  const tokenOf = createTestTokens([run, worker]);
  return async (ended: Ended): Promise<string> => {
    const test = { file: 'client.test.ts', ...ended };
    const token = tokenOf({ file: test.file, test: test.title });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    await fetch(`${url}/customers/c1`, { headers });
    const body = JSON.stringify(test);
    await fetch(`${url}/__control/account/test`, { method: 'PUT', headers, body });
    return token;
  };
}

const RUN = 'run-00000001';
const FAILED = {
  outcome: 'failed',
  message: 'expect(received).toBe(expected)\n\nExpected: 200\nReceived: 404\n\nat line 7',
} as const;
const PASSED = { outcome: 'passed', durationMs: 18 } as const;

describeInChromium('the view Tests', () => {
  const start = useCommands();
  const open = usePages();

  test('has one run for all workers, with the tests that passed too', async () => {
    const { url } = await start();
    const workers = ['0', '1', '2'].map((worker) => runOf(url, RUN, worker));
    for (const [nth, mark] of workers.entries()) {
      await mark({ ...PASSED, title: `reads page ${nth}` });
      await mark({ ...(nth < 2 ? FAILED : PASSED), title: `契約を削除する ${nth}` });
    }
    const page = await open(`${url}/__control/ui#tests`);
    const runs = page.locator('section.run');
    await runs.getByText('2 of 6 tests failed').first().waitFor();
    expect(await runs.count()).toBe(1);
    const items = runs.getByRole('listitem');
    expect(await items.allInnerTexts()).toEqual([
      expect.stringMatching(
        /^契約を削除する 1\s+expect\(received\)\.toBe\(expected\) Expected: 200 Received: 404\s+failed · 1 request\s+Dismiss$/,
      ),
      expect.stringMatching(/^契約を削除する 0\s/),
      expect.stringMatching(/^契約を削除する 2\s+passed in 18 ms · 1 request$/),
      expect.stringMatching(/^reads page 2\s/),
      expect.stringMatching(/^reads page 1\s/),
      expect.stringMatching(/^reads page 0\s/),
    ]);
    await items.getByRole('link', { name: '契約を削除する 2' }).click();
    await page.getByRole('button', { name: 'Account: 契約を削除する 2#6' }).waitFor();
  });

  test('says which tests have no outcome yet, and when the latest one ended', async () => {
    const { url } = await start();
    const mark = runOf(url, RUN);
    await mark({ ...PASSED, title: 'reads' });
    const token = createTestTokens([RUN, '1'])({ file: 'client.test.ts', test: 'deletes' });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    await fetch(`${url}/customers/c1`, { headers });
    const page = await open(`${url}/__control/ui#tests`);
    const run = page.getByRole('region', { name: RUN });
    await run.getByRole('heading', { name: /^run-00000001 latest test (now|.* ago)$/ }).waitFor();
    await run.getByText('1 running').waitFor();
    await run.getByRole('listitem').getByText('no outcome yet · 1 request').waitFor();
    const body = JSON.stringify({ ...FAILED, file: 'client.test.ts', title: 'deletes' });
    await fetch(`${url}/__control/account/test`, { method: 'PUT', headers, body });
    await run.getByText('1 running').waitFor({ state: 'detached' });
    await mark({ ...PASSED, title: 'deletes' });
    await run.getByText('passed on a retry in 18 ms').waitFor();
  });

  test('keeps what each run ended with, and says what changed since the one before', async () => {
    const { url } = await start();
    const [first, second] = [runOf(url, RUN), runOf(url, 'run-00000002')];
    for (const title of ['breaks', 'stays', 'goes']) await first({ ...PASSED, title });
    await first({ ...FAILED, title: 'mends' });
    for (const title of ['mends', 'stays', 'comes']) await second({ ...PASSED, title });
    await second({ ...FAILED, title: 'breaks' });
    const page = await open(`${url}/__control/ui#tests`);
    const [later, earlier] = ['run-00000002', RUN].map((name) =>
      page.getByRole('region', { name }),
    );
    await later?.getByText('1 of 4 tests failed').first().waitFor();
    await earlier?.getByText('1 of 4 tests failed').first().waitFor();
    await later?.getByText(`Since ${RUN}: 1 newly failed, 1 mended, 1 new, 1 not run.`).waitFor();
    await later
      ?.getByRole('listitem')
      .filter({ hasText: 'breaks' })
      .getByText('newly failed')
      .waitFor();
    await later?.getByRole('listitem').filter({ hasText: 'mends' }).getByText('mended').waitFor();
    await page.getByRole('status').getByRole('button', { name: '1 test failed' }).waitFor();
  });

  test('gives a failed test the whole width of a narrow screen', async () => {
    const { url } = await start();
    await runOf(url, RUN)({ ...FAILED, title: 'deletes a contract that was deleted before' });
    const page = await open(`${url}/__control/ui#tests`, { width: 360 });
    const item = page.locator('section.run').getByRole('listitem');
    const widthOf = async (one: typeof item) => (await one.boundingBox())?.width ?? 0;
    await item.waitFor();
    expect(await widthOf(item.locator('> .wrap'))).toBe(await widthOf(item));
  });

  test('forgets a failure when the test passes again', async () => {
    const { url } = await start();
    const [first, second] = [runOf(url, RUN), runOf(url, 'run-00000002')];
    await first({ ...FAILED, title: 'deletes' });
    await first({ ...FAILED, title: 'deletes', file: 'other.test.ts' });
    await first({ ...PASSED, title: 'reads' });
    const page = await open(`${url}/__control/ui#tests`);
    const runs = page.locator('section.run');
    const chip = page.getByRole('status').getByRole('button', { name: 'failed' });
    await chip.getByText('2 tests failed').waitFor();
    await second({ ...PASSED, title: 'deletes' });
    await chip.getByText('1 test failed').waitFor();
    await runs.first().getByText('1 test passed').first().waitFor();
    expect(await runs.evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
      'run-00000002',
      RUN,
    ]);
    await runs.last().getByText('2 of 3 tests failed').waitFor();
    await second({ ...PASSED, title: 'deletes', file: 'other.test.ts' });
    await chip.waitFor({ state: 'detached' });
    expect(await page.title()).toBe('Tests · usage-billing-mock');
    await runs.first().getByText('2 tests passed').first().waitFor();
  });

  test('forgets failures that are dismissed: one, or those of a run', async () => {
    const { url } = await start();
    const mark = runOf(url, RUN);
    for (const title of ['deletes', 'lists', 'reads']) await mark({ ...FAILED, title });
    await mark({ ...PASSED, title: 'pages' });
    const page = await open(`${url}/__control/ui#tests`);
    await page.getByRole('button', { name: 'Dismiss lists' }).click();
    const chip = page.getByRole('status').getByRole('button', { name: 'failed' });
    await chip.getByText('2 tests failed').waitFor();
    await page.getByRole('button', { name: 'Dismiss 2' }).click();
    await chip.waitFor({ state: 'detached' });
    await page.locator('section.run').getByText('1 test passed').first().waitFor();
    await openView(page, 'Requests');
    const banner = page.getByRole('region', { name: 'Failed test' });
    await page.getByRole('button', { name: 'GET /customers/c1' }).waitFor();
    expect(await banner.count()).toBe(0);
  });

  test('opens the requests of a test that passed after its account was closed', async () => {
    const { url } = await start();
    const token = await runOf(url, RUN)({ ...PASSED, title: 'reads' });
    await fetch(`${url}/__control/account`, { method: 'DELETE', ...as(token) });
    const page = await open(`${url}/__control/ui#tests`);
    await page.locator('details summary').first().click();
    await page.getByRole('link', { name: 'reads' }).click();
    await page
      .getByRole('button', { name: 'Account: reads#1 · 1 of 1 refused · closed' })
      .waitFor();
    await page.getByRole('button', { name: 'GET /customers/c1' }).click();
    const detail = page.getByRole('region', { name: 'Request 1' });
    await detail.getByText("'c1'").first().waitFor();
    await detail.getByRole('button', { name: 'Copy as curl' }).click();
    await detail.getByText('Copied as curl.').waitFor();
    // Its id would open another account, as any unknown token does.
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('Bearer my-token');
    await detail.getByText('Authorization: Bearer [redacted]', { exact: false }).waitFor({
      state: 'attached',
    });
    expect(await detail.getByRole('button', { name: 'Back to before' }).count()).toBe(0);
    for (const view of ['Behaviour', 'Decisions', 'Records']) {
      await openView(page, view);
      await page.getByText('was closed: only its requests are kept.').waitFor();
    }
    await openView(page, 'Coverage');
    await page.getByText('Whole server').waitFor();
    expect(await page.getByText('This account').count()).toBe(0);
    await openView(page, 'API');
    await page.getByText('under the decisions of a new account').waitFor();
  });

  test('are of closed accounts if none is open, and the requests of all are listed', async () => {
    const { url } = await start();
    for (const title of ['reads', 'lists']) {
      const token = await runOf(url, RUN)({ ...PASSED, title });
      await fetch(`${url}/__control/account`, { method: 'DELETE', ...as(token) });
    }
    const page = await open(`${url}/__control/ui`);
    await page
      .getByRole('button', { name: 'Account: lists#2 · 1 of 1 refused · closed' })
      .waitFor();
    await page.getByRole('button', { name: 'GET /customers/c1' }).waitFor();
    await page.getByText('All', { exact: true }).click();
    await page.getByText('2 requests', { exact: true }).waitFor();
    const options = await openAccounts(page);
    await options.filter({ hasText: 'reads#1' }).waitFor();
  });

  test('leads to a failed test whose account was closed, and keeps its outcome after that', async () => {
    const { url } = await start();
    const mark = runOf(url, RUN);
    const token = await mark({ ...FAILED, title: 'deletes' });
    await fetch(`${url}/__control/account`, { method: 'DELETE', ...as(token) });
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: '1 test failed' }).click();
    // The banner was there before, so it does not show that the test has been chosen.
    await page.getByRole('checkbox', { name: 'Follow', checked: false }).waitFor();
    const banner = page.getByRole('region', { name: 'Failed test' });
    await banner.getByText('Expected: 200').waitFor();
    await banner.getByRole('link', { name: 'GET /customers/c1' }).waitFor();
    await openView(page, 'Tests');
    await page.getByRole('button', { name: 'Dismiss deletes' }).click();
    await page.getByText('No test has ended yet.').waitFor();
  });

  test('shows the test that was chosen from then on, though it was already in view and followed', async () => {
    const { url } = await start();
    const nameOf = createTestTokens(['run-1a2b3c4d']);
    const [first, second] = ['reads', 'deletes'].map((test) => nameOf({ file: 'a.test.ts', test }));
    await fetch(`${url}/customers/c1`, as(String(first)));
    await fetch(`${url}/__control/account/test`, {
      method: 'PUT',
      headers: { ...as(String(first)).headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ outcome: 'passed' }),
    });
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: /^Account: reads/ }).waitFor();
    await openView(page, 'Tests');
    await page.locator('details summary').first().click();
    await page.getByRole('link', { name: 'reads' }).click();
    await page.getByRole('button', { name: 'GET /customers/c1' }).waitFor();
    // The requests were in view before, so they do not show that the test has been chosen.
    await page.getByRole('checkbox', { name: 'Follow', checked: false }).waitFor();
    await fetch(`${url}/customers/c2`, as(String(second)));
    await waitForAccount(page, /^deletes#2/);
    expect(await page.getByRole('button', { name: 'GET /customers/c2' }).count()).toBe(0);
    await openView(page, 'Coverage');
    await page.getByLabel('Follow').check();
    await openView(page, 'Requests');
    await fetch(`${url}/customers/c3`, as(String(second)));
    await page.getByRole('button', { name: 'GET /customers/c3' }).waitFor();
    expect(await page.getByLabel('Follow').isChecked()).toBe(true);
  });
});
