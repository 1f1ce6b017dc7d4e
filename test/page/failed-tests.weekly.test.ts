import { createTestTokens } from '../../src/kits/account-of-test/test-tokens.js';
import { openAccounts, openView, usePages, waitForAccount } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** Marks how the test of a token's account ended. */
async function end(url: string, token: string, outcome: object): Promise<void> {
  const headers = { ...as(token).headers, 'Content-Type': 'application/json' };
  const body = JSON.stringify(outcome);
  await fetch(`${url}/__control/account/test`, { method: 'PUT', headers, body });
}

const fail = (url: string, token: string, message: string, which = {}) =>
  end(url, token, { outcome: 'failed', message, ...which });

describeInChromium('failed tests on the page', () => {
  const start = useCommands();
  const open = usePages();

  test('are counted and come first; each says why it failed, and is not left by itself', async () => {
    const { url } = await start();
    const nameOf = createTestTokens(['run-1a2b3c4d']);
    const [first, second, last] = ['reads', 'deletes', 'lists'].map((test) =>
      nameOf({ file: 'client.test.ts', test: `a client › ${test}` }),
    ) as [string, string, string];
    for (const token of [first, second, last]) await fetch(`${url}/customers/c1`, as(token));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /customers/c1' }).waitFor();
    expect(await page.getByRole('button', { name: 'failed tests' }).count()).toBe(0);
    await fail(url, first, 'expected 404 to be 200');
    const which = { file: 'client.test.ts', title: 'a client › deletes' };
    await fail(url, second, 'expected 1 to be 2', which);
    const next = page.getByRole('status').getByRole('button', { name: '2 tests failed' });
    await next.waitFor();
    expect(await page.title()).toBe('✗ 2 failed · Requests · usage-billing-mock');
    expect(await (await openAccounts(page)).allInnerTexts()).toEqual([
      'deletes#2 · failed · client.test.ts › a client',
      'reads#1 · failed · client.test.ts › a client',
      'lists#3 · 1 of 1 refused · client.test.ts › a client',
    ]);
    await page.keyboard.press('Escape');

    const banner = page.getByRole('region', { name: 'Failed test' });
    expect(await banner.count()).toBe(0);
    await openView(page, 'Decisions');
    await next.press('Enter');
    await banner.getByText('This test failed: a client › deletes client.test.ts').waitFor();
    await banner.getByText('expected 1 to be 2').waitFor();
    await next.press('Enter');
    await banner.getByText('expected 404 to be 200').waitFor();
    expect(await page.getByLabel('Follow').isChecked()).toBe(false);

    await fetch(`${url}/customers/c2`, as(last));
    await waitForAccount(page, 'lists#3 · 2 of 2 refused');
    await banner.getByText('expected 404 to be 200').waitFor();
    await next.press('Enter');
    await banner.getByText('expected 1 to be 2').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Show 1 earlier').waitFor();
    // What is asked after the failure, as by a hook that cleans up, is not what the test is about.
    await fetch(`${url}/customers/c3`, as(second));
    await page.getByRole('button', { name: 'GET /customers/c3' }).waitFor();
    await banner.getByText('expected 1 to be 2').waitFor();
    await banner.getByRole('link', { name: 'GET /customers/c1' }).click();
    await page.getByRole('region', { name: 'Request 1' }).getByText("'c1'").first().waitFor();
  });

  test('are no longer counted once they pass, though the page still shows why they failed', async () => {
    const { url } = await start();
    const nameOf = createTestTokens(['run-1a2b3c4d']);
    const tokens = [1, 2].map(() => nameOf({ file: 'client.test.ts', test: 'deletes' }));
    const which = { file: 'client.test.ts', title: 'deletes' };
    for (const token of tokens) await fetch(`${url}/customers/c1`, as(token));
    await fail(url, String(tokens[0]), 'expected 404 to be 200', which);
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: '1 test failed' }).click();
    await end(url, String(tokens[1]), { outcome: 'passed', ...which });
    await page.getByRole('button', { name: '1 test failed' }).waitFor({ state: 'detached' });
    expect(await page.title()).toBe('Requests · usage-billing-mock');
    const banner = page.getByRole('region', { name: 'Failed test' });
    await banner.getByText('expected 404 to be 200').waitFor();
    expect(await (await openAccounts(page)).allInnerTexts()).toEqual([
      'deletes#2 · passed · client.test.ts',
      'deletes#1 · failed · client.test.ts',
    ]);
  });

  test('are found after their accounts were closed, with their requests', async () => {
    const { url } = await start();
    const which = { file: 'client.test.ts', title: 'deletes' };
    await fetch(`${url}/customers/c1`, as('failed-token'));
    await fail(url, 'failed-token', 'expected 404 to be 200', which);
    await fetch(`${url}/__control/account`, { method: 'DELETE', ...as('failed-token') });
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: '1 test failed' }).click();
    // The banner was there before, so it does not show that the test has been chosen.
    await page.getByRole('checkbox', { name: 'Follow', checked: false }).waitFor();
    const banner = page.getByRole('region', { name: 'Failed test' });
    await banner.getByText('This test failed: deletes client.test.ts').waitFor();
    await banner.getByRole('link', { name: 'GET /customers/c1' }).click();
    const detail = page.getByRole('region', { name: 'Request 1' });
    await detail.getByText("'c1'").first().waitFor();
    await detail.getByRole('button', { name: 'Copy as curl' }).click();
    await detail.getByText('Copied as curl.').waitFor();
    // Its id would open another account, as any unknown token does.
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('Bearer my-token');
    expect(await detail.getByRole('button', { name: 'Back to before' }).count()).toBe(0);
    for (const view of ['Behaviour', 'Decisions', 'Records']) {
      await openView(page, view);
      await page.getByText('was closed: only its requests are kept.').waitFor();
    }
  });

  test('are what the page opens on, also among more accounts than are listed', async () => {
    const { url } = await start();
    await fail(url, 'broken-token', 'expected 404 to be 200');
    for (let nth = 0; nth < 120; nth += 1) await fetch(`${url}/customers/c1`, as(`token-${nth}`));
    const page = await open(`${url}/__control/ui`);
    const banner = page.getByRole('region', { name: 'Failed test' });
    await banner.getByText('brok…en#1').waitFor();
    await (await openAccounts(page)).nth(1).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '1 test failed' }).click();
    await banner.getByText('brok…en#1').waitFor();
    await page
      .getByText('This account has received no request since it was opened or reset.')
      .waitFor();
    expect(await (await openAccounts(page)).first().innerText()).toContain('failed');
  });

  test('do not take the place of the test that is followed, which stays until another begins', async () => {
    const { url } = await start();
    const nameOf = createTestTokens(['run-1a2b3c4d']);
    const tokens = ['fails', 'reads', 'deletes'].map((test) => nameOf({ file: 'a.test.ts', test }));
    const [failed, first, second] = tokens as [string, string, string];
    const page = await open(`${url}/__control/ui`);
    await page.getByText('Live', { exact: true }).waitFor();
    await fetch(`${url}/customers/c0`, as(failed));
    await fail(url, failed, 'expected 404 to be 200');
    for (const token of [first, second]) {
      await fetch(`${url}/customers/begins`, as(token));
      await waitForAccount(page, token === first ? /^reads/ : /^deletes/);
    }
    await page.getByRole('button', { name: /^Account: deletes/ }).waitFor();
    for (const times of [2, 3, 4]) {
      await fetch(`${url}/customers/goes-on`, as(first));
      await waitForAccount(page, new RegExp(`^reads#2 · ${times} of`));
    }
    await page.getByRole('button', { name: /^Account: deletes/ }).waitFor();
    await fetch(`${url}/__control/account`, { method: 'DELETE', ...as(second) });
    await page.getByRole('button', { name: /^Account: deletes.* · closed/ }).waitFor();
    expect(await page.getByRole('region', { name: 'Failed test' }).count()).toBe(0);
  });

  test('show the first lines of a long message, and the rest on demand', async () => {
    const { url } = await start();
    const lines = Array.from({ length: 40 }, (_, nth) => `line ${nth} <b>of</b> ${'x'.repeat(30)}`);
    await fail(url, 'app-token', lines.join('\n'));
    const page = await open(`${url}/__control/ui`, { width: 390 });
    const banner = page.getByRole('region', { name: 'Failed test' });
    const heightOf = async () => (await banner.boundingBox())?.height ?? 0;
    await banner.getByText('line 0 <b>of</b>').waitFor();
    expect(await heightOf()).toBeLessThan(340);
    await banner.getByRole('button', { name: 'Show the whole message' }).click();
    await banner.getByRole('button', { name: 'Show less', expanded: true }).waitFor();
    expect(await heightOf()).toBeGreaterThan(700);
  });
});
