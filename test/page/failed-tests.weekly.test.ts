import { createTestTokens } from '../../src/kits/account-of-test/test-tokens.js';
import { openAccounts, usePages, waitForAccount } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** Marks the account of a token as that of a failed test. */
async function fail(url: string, token: string, message: string, which = {}): Promise<void> {
  const headers = { ...as(token).headers, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ outcome: 'failed', message, ...which });
  await fetch(`${url}/__control/account/test`, { method: 'PUT', headers, body });
}

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
    await fail(url, second, 'expected 1 to be 2');
    const next = page.getByRole('status').getByRole('button', { name: '2 tests failed' });
    await next.waitFor();
    expect(await page.title()).toBe('✗ 2 failed (2 new) · Requests · usage-billing-mock');
    expect(await (await openAccounts(page)).allInnerTexts()).toEqual([
      'deletes#2 · failed · client.test.ts › a client',
      'reads#1 · failed · client.test.ts › a client',
      'lists#3 · 1 of 1 refused · client.test.ts › a client',
    ]);
    await page.keyboard.press('Escape');

    const banner = page.getByRole('region', { name: 'Failed test' });
    expect(await banner.count()).toBe(0);
    await page.getByRole('link', { name: 'Coverage' }).click();
    await next.press('Enter');
    await banner.getByText('This test failed: deletes#2').waitFor();
    await banner.getByText('expected 1 to be 2').waitFor();
    await next.press('Enter');
    await banner.getByText('expected 404 to be 200').waitFor();
    expect(await page.getByLabel('Follow').isChecked()).toBe(false);

    await fetch(`${url}/customers/c2`, as(last));
    await waitForAccount(page, 'lists#3 · 2 of 2 refused');
    await banner.getByText('expected 404 to be 200').waitFor();
    await next.press('Enter');
    await banner.getByText('expected 1 to be 2').waitFor();
    expect(await page.title()).toBe('✗ 2 failed · Requests · usage-billing-mock');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Show 1 earlier').waitFor();
    // What is asked after the failure, as by a hook that cleans up, is not what the test is about.
    await fetch(`${url}/customers/c3`, as(second));
    await page.getByRole('button', { name: 'GET /customers/c3' }).waitFor();
    await banner.getByText('expected 1 to be 2').waitFor();
    await banner.getByRole('link', { name: 'GET /customers/c1' }).click();
    await page.getByRole('region', { name: 'Request 1' }).getByText("'c1'").first().waitFor();
  });

  test('are listed by run and file, the newest run first, with their whole titles', async () => {
    const { url } = await start();
    const runs = ['run-00000001', 'run-00000002'].map((run) => createTestTokens([run]));
    const test = `a client of the billing service › ${'reads (on) and '.repeat(15)}ends`;
    for (const [nth, nameOf] of runs.entries()) {
      for (const file of ['one.test.ts', 'two.test.ts']) {
        const token = nameOf({ file, test });
        await fetch(`${url}/customers/c1`, as(token));
        const which = { file: `src/${nth}/${file}`, title: test };
        await fail(url, token, 'expected 404 to be 200\nat line 7', which);
      }
    }
    const page = await open(`${url}/__control/ui#tests`);
    const sections = page.locator('section.run');
    await sections.nth(1).waitFor();
    expect(await sections.evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
      'run-00000002',
      'run-00000001',
    ]);
    await sections.first().getByText('2 of 2 tests failed').waitFor();
    await sections.first().getByText('1 of 1 test failed').first().waitFor();
    await sections.first().getByText('expected 404 to be 200').first().waitFor();
    await sections.first().getByRole('link', { name: test }).first().click();
    await page.getByRole('region', { name: 'Failed test' }).getByText('at line 7').waitFor();
    await page.goBack();
    await sections.nth(1).waitFor();
    await page.getByLabel('Search tests').fill('1/one.test.ts');
    await sections.nth(1).waitFor({ state: 'detached' });
    expect(await sections.locator('summary').allInnerTexts()).toEqual([
      expect.stringContaining('src/1/one.test.ts'),
    ]);
  });

  test('are what the page opens on, also among more accounts than are listed', async () => {
    const { url } = await start();
    await fail(url, 'broken-token', 'expected 404 to be 200');
    for (let nth = 0; nth < 120; nth += 1) await fetch(`${url}/customers/c1`, as(`token-${nth}`));
    const page = await open(`${url}/__control/ui`);
    const banner = page.getByRole('region', { name: 'Failed test' });
    await banner.getByText('brok…#1').waitFor();
    await (await openAccounts(page)).nth(1).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '1 test failed' }).click();
    await banner.getByText('brok…#1').waitFor();
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
    await fetch(`${url}/__control/account/test`, {
      method: 'PUT',
      headers: { ...as(failed).headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ outcome: 'failed', message: 'expected 404 to be 200' }),
    });
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

  test('say how long a client waited before it tried again, and what was injected', async () => {
    const { url } = await start();
    await fetch(`${url}/__control/faults`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'status', status: 429, retryAfterS: 7, phase: 'after' }),
      headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
    });
    for (let times = 0; times < 2; times += 1) await fetch(`${url}/measurements`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    const tags = page.locator('table.requests .tag');
    await page.getByText('Retry-After was 7 s').waitFor();
    expect(await tags.allInnerTexts()).toEqual([
      expect.stringMatching(/^try 2 after \d+ ms$/),
      'Retry-After was 7 s',
      'injected: fault 1 status, after the operation ran',
    ]);
  });
});
