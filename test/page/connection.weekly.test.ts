import { readFileSync } from 'node:fs';
import { openAccounts, openView, usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describeInChromium('the page', () => {
  const start = useCommands();
  const open = usePages();

  test('has the document under the decisions of the account, with or without a control token', async () => {
    for (const flags of [[], ['--control-token', 'open-sesame']]) {
      const { url } = await start(['--decide', 'repeat-delete=gone', ...flags]);
      const page = await open(`${url}/__control/ui#token=open-sesame`);
      await page.getByRole('button', { name: 'Help' }).click();
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the OpenAPI document' }).click();
      const { paths } = JSON.parse(readFileSync(await (await saving).path(), 'utf8'));
      expect(Object.keys(paths['/contracts/{contractId}'].delete.responses)).toContain('410');
    }
  });

  test('works where the browser blocks storage', async () => {
    const { url } = await start();
    await fetch(`${url}/measurements`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await page.addInitScript(`Object.defineProperty(window, 'sessionStorage', {
      get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); },
    })`);
    await page.reload();
    await page.getByRole('button', { name: 'GET /measurements' }).waitFor();
    await openView(page, 'Behaviour');
    await page.getByLabel('How often').selectOption('always');
    await openView(page, 'Requests');
    await openView(page, 'Behaviour');
    expect(await page.getByLabel('How often').inputValue()).toBe('always');
  });

  test('says that a client probably has no token if it sends undefined', async () => {
    const { url } = await start();
    await fetch(`${url}/customers/undefined`, as('undefined'));
    const page = await open(`${url}/__control/ui`);
    await page.getByText("The client sends 'Authorization: Bearer undefined'").waitFor();
    await page.getByRole('button', { name: 'Account: undefined#1' }).waitFor();
    await page.getByRole('button', { name: 'GET /customers/undefined' }).waitFor();
    await fetch(`${url}/measurements`, as('app-token'));
    await page.getByRole('button', { name: 'Account: app…en#2' }).waitFor();
    expect(await page.getByText('Bearer undefined').count()).toBe(0);
  });

  test('of a fresh mock sends a first request', async () => {
    const { url } = await start();
    const page = await open(`${url}/__control/ui`);
    await openView(page, 'Records');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl -H 'Authorization: Bearer my-token' '${url}/measurements?limit=2'`,
    );
    expect(await (await fetch(`${url}/__control/accounts`)).json()).toHaveProperty('total', 0);
    await page.getByRole('button', { name: 'Send one' }).click();
    await page.getByLabel('Search').waitFor();
    await openView(page, 'Requests');
    await page.getByRole('button', { name: 'GET /measurements' }).waitFor();
  });

  test('takes a control token from the address whenever it is pasted, and asks for it once', async () => {
    const { url } = await start(['--control-token', 'secret-token']);
    await fetch(`${url}/customers/first`, as('first-token'));
    // Neither percent-encoding nor a token.
    const page = await open(`${url}/__control/ui#token=%E0%A4%A`);
    await page.getByText('Token required').waitFor();
    await page.getByText('Token: the one in this tab was refused.').waitFor();
    await page.locator('input:focus').waitFor();
    await page.clock.install();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByText('Token required').waitFor();
    await page.clock.runFor(10_000);
    expect(asked.filter((path) => path.endsWith('/stream'))).toHaveLength(1);
    expect(asked).not.toContain('/__control/accounts');
    await page.evaluate("location.hash = '#token=secret-token'");
    await page.getByRole('button', { name: 'GET /customers/first' }).waitFor();
    expect(page.url()).not.toContain('token');
  });

  test('of a stopped mock says so, keeps what it has, and connects again', async () => {
    const { command, url } = await start();
    await fetch(`${url}/customers/nobody`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /customers/nobody' }).waitFor();
    command.kill('SIGTERM');
    await command.ended();
    const note = page.getByText(`The mock at ${url}/ does not answer. Start the mock again`);
    await note.waitFor();
    expect(await page.getByRole('button', { name: 'GET /customers/nobody' }).count()).toBe(1);
    await openView(page, 'Behaviour');
    expect(await page.getByText('Failed to fetch').count()).toBe(0);
    await start(['--port', new URL(url).port]);
    await note.waitFor({ state: 'detached' });
    await openView(page, 'Requests');
    await page.getByText(/^The mock restarted at \d\d:\d\d\./).waitFor();
    await fetch(`${url}/customers/again`, as('app-token'));
    await page.getByRole('button', { name: 'GET /customers/again' }).waitFor();
    await page.locator('table.requests').nth(1).getByText('/customers/nobody').waitFor();
  });

  test('of a mock that no longer responds says so, as does a click', async () => {
    const { command, url } = await start();
    await fetch(`${url}/customers/nobody`, as('app-token'));
    const page = await open(`${url}/__control/ui#behaviour`);
    await page.getByText('Live', { exact: true }).waitFor();
    const freeze = page.getByRole('button', { name: 'Freeze', exact: true });
    await freeze.waitFor();
    command.kill('SIGSTOP');
    await freeze.click();
    const unanswered = page.getByText('The mock has not responded for 5 s.');
    await unanswered.waitFor();
    const silent = page.getByText('No response', { exact: true });
    await silent.waitFor();
    await page.getByText(`Nothing has come from the mock at ${url}/ for 10 s`).waitFor();
    command.kill('SIGCONT');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Non-default' }).getByText('Clock frozen').waitFor();
    expect([await unanswered.count(), await silent.count()]).toEqual([0, 0]);
  });

  test('stays connected to a mock that receives no requests', async () => {
    const { url } = await start();
    const page = await open(`${url}/__control/ui`);
    await page.getByText('Live', { exact: true }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    // As long as it takes a mock to send five comments.
    await page.evaluate(`(async () => {
      const { body } = await fetch('requests/stream?of=server');
      const reader = body.getReader();
      for (let pieces = 0; pieces < 6; pieces += 1) await reader.read();
      await reader.cancel();
    })()`);
    expect(asked.filter((one) => one.includes('/stream?of=all'))).toEqual([]);
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('lists the newest of many accounts, and finds the others', async () => {
    const { url } = await start();
    for (let nth = 1; nth <= 120; nth += 1)
      await fetch(`${url}/customers/c${nth}`, as(`account-${nth}-token`));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /customers/c120' }).waitFor();
    const options = await openAccounts(page);
    expect(await options.count()).toBe(100);
    const search = page.getByRole('combobox', { name: 'Search accounts' });
    expect(await search.getAttribute('placeholder')).toBe(
      'Search 120 open accounts, and closed ones',
    );
    await page.keyboard.type('#7');
    await options.filter({ hasText: /#7 · / }).click();
    await page.getByRole('button', { name: 'GET /customers/c7', exact: true }).waitFor();
    await openAccounts(page);
    await page.keyboard.type('#120');
    await options.filter({ hasText: '#120' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'GET /customers/c120' }).waitFor();
    await page.locator('header button.chosen:focus').waitFor();
  });

  test('brings a request that is opened into view on a narrow screen, and closes it by Escape', async () => {
    const { url } = await start();
    for (let nth = 0; nth < 30; nth += 1)
      await fetch(`${url}/customers/nobody${nth}`, as('app-token'));
    const page = await open(`${url}/__control/ui`, { width: 360 });
    const first = page.getByRole('button', { name: 'GET /customers/nobody0' });
    await first.click();
    const detail = page.getByRole('region', { name: 'Request 1' });
    // A response from before the page was open.
    await detail.getByText('"title": "Not found"').waitFor();
    expect(await detail.getByText('0 headers').count()).toBe(0);
    const { y = -1 } = (await detail.getByRole('heading').first().boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(800);
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
    const why = page.locator('tr', { has: first }).locator('.why');
    expect(await why.innerText()).toMatch(/This account has no customer with the id/);
  });
});
