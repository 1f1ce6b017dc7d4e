import type { Page } from 'playwright-core';
import { openAccounts, openView, usePages, waitForAccount } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const JOURNAL = /__control\/requests(\?[^/]*)?$/;

/** Loads the page again, and holds back the responses from these addresses until released. */
async function reloadHolding(page: Page, addresses: RegExp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(addresses, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  return release;
}

describeInChromium('while something loads, the page', () => {
  const start = useCommands();
  const open = usePages();

  test('claims nothing of the journal, and says Loading', async () => {
    const { url } = await start();
    for (const id of ['c1', 'c2']) await fetch(`${url}/customers/${id}`, as('app-token'));
    await fetch(`${url}/invoices`);
    const page = await open(`${url}/__control/ui`);
    const main = page.getByRole('main');
    await page.getByRole('button', { name: 'GET /customers/c2' }).waitFor();
    const release = await reloadHolding(page, JOURNAL);
    await page.getByRole('button', { name: /^Account: app/ }).waitFor();
    await main.locator('p', { hasText: /^Loading…$/ }).waitFor();
    const lanes = page.getByRole('group', { name: 'Requests of' });
    expect(await lanes.innerText()).toMatch(/This account\s+Wrong path or token\s+All$/);
    expect(await main.innerText()).not.toMatch(/no longer|no request|0 requests/);

    release();
    await page.getByText('This account 2').waitFor();
    await page.getByText('Wrong path or token 1').waitFor();
    await page.getByText('2 requests', { exact: true }).waitFor();
    await main.locator('p', { hasText: 'Loading…' }).waitFor({ state: 'detached' });
  });

  test('reads the journals of those who asked last, and more when it is asked', async () => {
    const { url } = await start();
    const tokens = Array.from({ length: 12 }, (_, nth) => `many-${nth}`);
    for (const token of tokens)
      await Promise.all(
        Array.from({ length: 100 }, () => fetch(`${url}/customers/of-${token}`, as(token))),
      );
    const page = await open(`${url}/__control/ui`);
    await page.getByText('This account 100').waitFor();
    await page.getByText('Wrong path or token 0').waitFor();
    let journals = 0;
    await page.route(JOURNAL, (route) => {
      journals += 1;
      return route.continue();
    });
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByText('1,000 of the 1,200 requests of the listed accounts').waitFor();
    expect(journals).toBe(9);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('1,200 requests', { exact: true }).waitFor();
    expect(journals).toBe(11);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  test('claims neither that there is no account nor that there was no request', async () => {
    const { url } = await start();
    await fetch(`${url}/customers/c1`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /customers/c1' }).waitFor();
    const release = await reloadHolding(page, /__control\/accounts\?/);
    await page.getByText('Live', { exact: true }).waitFor();
    for (const view of ['Requests', 'Records']) {
      await openView(page, view);
      await page
        .getByRole('main')
        .locator('p', { hasText: /^Loading…$/ })
        .waitFor();
      expect(await page.locator('body').innerText()).not.toMatch(/No request yet|none yet/);
    }
    release();
    await page.getByRole('button', { name: /^Account: app/ }).waitFor();
  });

  test.each([
    ['Records', /__control\/(customers|changes)/, /\b0\b/, /25 of 25|[1-9]\d* of [1-9]\d*/],
  ])('counts nothing in the view %s', async (view, addresses, zero, counted) => {
    const { url } = await start();
    await fetch(`${url}/customers/c1`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await openView(page, view);
    await page.getByText(counted).first().waitFor();
    const release = await reloadHolding(page, addresses);
    await page.getByRole('heading', { name: view, includeHidden: true }).first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.locator('main .bar').first().innerText()).not.toMatch(zero);
    release();
    await page.getByText(counted).first().waitFor();
  });

  test('keeps a request that comes after the journal was listed, and before the list is here', async () => {
    const { url } = await start();
    await fetch(`${url}/customers/c1`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    const row = (id: string) => page.getByRole('button', { name: `GET /customers/${id}` });
    await row('c1').waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const listed = new Promise<void>((resolve) =>
      page.route(JOURNAL, async (route) => {
        const response = await route.fetch();
        resolve();
        await held;
        await route.fulfill({ response });
      }),
    );
    await page.reload();
    await listed;
    await fetch(`${url}/customers/c2`, as('app-token'));
    await row('c2').waitFor();
    expect(await row('c1').count()).toBe(0);
    release();
    await row('c1').waitFor();
    expect(await row('c2').count()).toBe(1);
  });

  test('says why a journal cannot be read, and reads it when asked to', async () => {
    const { url } = await start();
    await fetch(`${url}/customers/c1`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /customers/c1' }).waitFor();
    const problem = { status: 503, body: JSON.stringify({ detail: 'The proxy is tired.' }) };
    await page.route(JOURNAL, (route) => route.fulfill(problem));
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('The requests cannot be loaded: The proxy is tired.').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/no longer|This account 0/);
    const again = page.getByRole('button', { name: 'Try again' });
    await Promise.all([page.waitForRequest(JOURNAL), again.click()]);

    await page.unroute(JOURNAL);
    // A page whose stream broke meanwhile has read the journal by itself.
    const row = page.getByRole('button', { name: 'GET /customers/c1' });
    await again.or(row).first().click();
    await row.waitFor();
  });

  test('asks for the journal of the account that it shows, and for others once they are wanted', async () => {
    const { url } = await start();
    for (let nth = 1; nth <= 12; nth += 1)
      await fetch(`${url}/customers/c${nth}`, as(`account-${nth}-token`));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /customers/c12' }).waitFor();
    const asked: string[] = [];
    page.on('request', async (request) => {
      if (JOURNAL.test(request.url())) asked.push(request.headers()['x-account-id'] ?? 'server');
    });
    await page.reload();
    await page.getByRole('button', { name: 'GET /customers/c12' }).waitFor();
    await waitForAccount(page, /#3 · 1 of 1 refused/);
    // The second list of accounts comes after all that the first has led to.
    await page.waitForResponse(/__control\/accounts\?/);
    const { accounts } = Object(await (await fetch(`${url}/__control/accounts`)).json());
    expect(asked.toSorted()).toEqual([accounts[0].id, 'server'].toSorted());

    await (await openAccounts(page)).filter({ hasText: '#3 ·' }).click();
    await page.getByRole('button', { name: 'GET /customers/c3', exact: true }).waitFor();
    expect(asked).toHaveLength(3);
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByText('12 requests', { exact: true }).waitFor();
    expect(new Set(asked).size).toBe(13);
  });

  test('has the number of refusals from the mock, which may have dropped their requests', async () => {
    const { url } = await start(['--journal-size', '4']);
    const send = async (count: number, path: string) => {
      for (let nth = 0; nth < count; nth += 1) await fetch(url + path, as('app-token'));
    };
    await send(6, '/customers/nobody');
    const fault = { kind: 'status', status: 503 };
    await fetch(`${url}/__control/faults`, {
      method: 'POST',
      body: JSON.stringify(fault),
      headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
    });
    // An injected failure is no refusal.
    await send(3, '/measurements?limit=1');
    const page = await open(`${url}/__control/ui`);
    await page.getByText('app…en#1 · 6 of 9 refused').waitFor();
    await send(1, '/customers/nobody');
    await page.getByText('app…en#1 · 7 of 10 refused').waitFor();
  });
});
