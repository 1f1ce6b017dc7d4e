import { writeFileSync } from 'node:fs';
import { openAccounts, openView, usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describeInChromium('what is gone', () => {
  const start = useCommands();
  const open = usePages();

  /** A mock with two accounts, the first of them asked first; and their ids. */
  async function withTwoAccounts() {
    const { url } = await start();
    for (const name of ['first', 'second'])
      await fetch(`${url}/customers/${name}`, as(`${name}-token`));
    const { accounts } = Object(await (await fetch(`${url}/__control/accounts`)).json());
    const control = (method: string, path: string, token: string) =>
      fetch(`${url}/__control${path}`, { method, ...as(token) });
    /** Closes an account of which nothing is kept. */
    const forget = async (token: string) => {
      await control('DELETE', '/requests', token);
      await control('DELETE', '/account', token);
    };
    const [second, first] = [String(accounts[0].id), String(accounts[1].id)];
    return { url, control, forget, first, second };
  }

  test('is the account of a link to its records, which opens no other', async () => {
    const { url, forget, first } = await withTwoAccounts();
    await forget('first-token');
    const page = await open(`${url}/__control/ui#records/${first}`);
    const gone = page.getByText(
      `The account ${first.slice(0, 8)} is gone: it was closed and none of its requests is kept, or the mock restarted.`,
    );
    await gone.waitFor();
    await page.waitForResponse(/__control\/accounts\?/);
    await page.getByRole('button', { name: 'Account: gone' }).waitFor();
    expect(page.url()).toContain(`#records/${first}`);
    expect(await page.getByRole('table').count()).toBe(0);
    expect(await page.getByRole('main').innerText()).not.toContain('0 requests');

    await page.getByRole('button', { name: 'Show the latest account' }).click();
    await page.getByRole('button', { name: /^Account: seco/ }).waitFor();
    await page.getByRole('table').first().waitFor();
    expect(await gone.count()).toBe(0);
    expect(await page.getByLabel('Follow').isChecked()).toBe(true);
  });

  test('is an account of which nothing is kept; one that is followed stays until another is asked', async () => {
    const { url, forget } = await withTwoAccounts();
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: /^Account: seco/ }).waitFor();
    await forget('second-token');
    await page.getByText('The account seco…en#2 is gone').waitFor();
    await fetch(`${url}/customers/third`, as('third-token'));
    await page.getByRole('button', { name: 'GET /customers/third' }).waitFor();
    await (await openAccounts(page)).filter({ hasText: 'fir…en#1' }).click();
    await page.getByRole('button', { name: 'GET /customers/first' }).waitFor();
    await forget('first-token');
    await page.getByText('The account fir…en#1 is gone').waitFor();
    expect(await page.getByRole('button', { name: 'GET /customers/third' }).count()).toBe(0);
  });

  test('is a request of a link, after a reset that gave its number to another', async () => {
    const { url, control } = await withTwoAccounts();
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /customers/second' }).click();
    const detail = page.getByRole('region', { name: 'Request 1' });
    await detail.getByText("'second'").first().waitFor();
    const link = page.url();
    await control('POST', '/reset', 'second-token');
    await detail.getByText(/^Request 1 of seco…en#2 is gone: /).waitFor();
    expect(await detail.getByRole('button', { name: 'Back to before' }).count()).toBe(0);

    await fetch(`${url}/customers/another`, as('second-token'));
    await page.getByRole('button', { name: 'GET /customers/another' }).waitFor();
    const later = await open(link);
    const gone = later.getByText(/^Request 1 of seco…en#2 is gone: /);
    await gone.waitFor();
    await later.getByRole('button', { name: 'GET /customers/another' }).click();
    await later.getByRole('region', { name: 'Request 1' }).getByText("'another'").first().waitFor();
    expect(await gone.count()).toBe(0);
  });

  test('are the requests that a reset dropped while the page was not connected', async () => {
    const { url, control } = await withTwoAccounts();
    const page = await open(`${url}/__control/ui`);
    // From now on, every stream ends at once, so that the page hears of nothing and reconnects.
    const headers = { 'Content-Type': 'text/event-stream' };
    await page.route('**/requests/stream*', (route) => route.fulfill({ headers, body: ':\n\n' }));
    await page.reload();
    await page.getByRole('button', { name: 'GET /customers/second' }).waitFor();
    await control('POST', '/reset', 'second-token');
    for (const id of ['another', 'others'])
      await fetch(`${url}/customers/${id}`, as('second-token'));
    await page.getByRole('button', { name: 'GET /customers/others' }).waitFor();
    expect(await page.getByRole('button', { name: 'GET /customers/second' }).count()).toBe(0);
  });

  test('is what could be undone before a restart of the mock', async () => {
    const { command, url } = await start();
    await fetch(`${url}/customers/nobody`, as('app-token'));
    const page = await open(`${url}/__control/ui#behaviour`);
    await page.getByRole('button', { name: 'Reset the account' }).click();
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await undo.waitFor();
    command.kill('SIGTERM');
    await command.ended();
    await page.getByText('Connection lost').waitFor();
    await start(['--port', new URL(url).port]);
    await undo.waitFor({ state: 'detached' });
    await page.getByText('The account app…en#1 is gone').waitFor();
    await fetch(`${url}/customers/again`, as('app-token'));
    await page.reload();
    await page.getByRole('button', { name: 'Show the latest account' }).click();
    await page.getByRole('heading', { name: 'Clock' }).waitFor();
    expect(await undo.count()).toBe(0);
  });

  test('is what --watch reset, with what could be undone before, and the page says so', async () => {
    const file = writeFixture('customers: [{ id: a, name: Old }]');
    const { url } = await start(['--dataset', file, '--watch']);
    for (const token of ['app-token', 'other-token']) await fetch(`${url}/customers/a`, as(token));
    const page = await open(`${url}/__control/ui`);
    await (await openAccounts(page)).filter({ hasText: 'app…en#1' }).click();
    await openView(page, 'Behaviour');
    await page.getByRole('button', { name: 'Reset the account' }).click();
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await undo.waitFor();
    writeFileSync(file, 'customers: [{ id: a, name: New }]');
    await page
      .getByText(/^app…en#1 was reset at \d\d:\d\d, because its dataset changed\./)
      .waitFor();
    expect(await undo.count()).toBe(0);
    await (await openAccounts(page)).filter({ hasText: 'oth…en#2' }).click();
    // It was in view before, and so its requests have gone.
    await page.getByText(/^oth…en#2 was reset at/).waitFor();
    await page.getByRole('button', { name: 'Close this notice' }).click();
    await page.getByText('because its dataset changed').waitFor({ state: 'detached' });
  });
});
