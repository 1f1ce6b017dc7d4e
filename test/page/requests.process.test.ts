import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { promisify } from 'node:util';
import { createTestTokens } from '../../src/kits/account-of-test/test-tokens.js';
import { openAccounts, openView, usePages, waitForAccount, waitUntil } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const CONTRACT = '65b000000000000000000001';
const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

const run = promisify(execFile);

describeInChromium('the requests on the page', () => {
  const start = useCommands();
  const open = usePages();

  test('appear without being asked for, and are opened with what was answered, and why so', async () => {
    const { url } = await start();
    const page = await open(`${url}/`);
    expect(new URL(page.url()).pathname).toBe('/__control/ui');
    await page.getByText('No request yet').waitFor();
    // From now on, responses are kept.
    await page.getByText('Live', { exact: true }).waitFor();
    for (let times = 0; times < 2; times += 1) {
      await fetch(`${url}/contracts/${CONTRACT}`, { method: 'DELETE', ...as('app-token') });
    }
    const rows = page.getByRole('button', { name: 'DELETE /contracts/…00000001' });
    await rows.nth(1).waitFor();
    await rows.first().click();
    const detail = page.getByRole('region', { name: 'Request 2' });
    await detail.getByText("Here the decision 'repeat-delete' is 'not-found'").waitFor();
    await detail.getByText('--decide repeat-delete=…').waitFor();
    const response = detail.getByRole('region', { name: 'Response' });
    expect(await response.innerText()).toContain('"title": "Not found"');
    await response.getByRole('button', { name: 'Raw' }).click();
    expect(await response.innerText()).toContain('HTTP/1.1 404 Not Found\n');
  });

  test('that are no longer kept are counted, below a search and among all as well', async () => {
    const { url } = await start(['--journal-size', '5']);
    await fetch(`${url}/contracts/${CONTRACT}`, { method: 'DELETE', ...as('app-token') });
    for (let nth = 0; nth < 7; nth += 1) await fetch(`${url}/customers/c${nth}`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    const missing = page.getByText('3 earlier requests are no longer listed.');
    await missing.waitFor();
    await page.getByText('5 of 8 kept', { exact: true }).waitFor();
    await page.getByLabel('Search').fill('contracts');
    await page.getByText('No request matches the filter.').waitFor();
    await missing.waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByRole('radio', { name: 'All' }).click();
    await page.getByText('5 of the 8 requests of the listed accounts are listed.').waitFor();
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  test('are listed latest first, even if their clock was set back meanwhile', async () => {
    const { url } = await start();
    const page = await open(`${url}/__control/ui`);
    await fetch(`${url}/customers/first`, as('app-token'));
    const clock = { frozenAt: '2020-01-01T00:00:00.000Z' };
    await fetch(`${url}/__control/clock`, {
      method: 'PUT',
      body: JSON.stringify(clock),
      headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
    });
    await fetch(`${url}/customers/second`, as('app-token'));
    const rows = page.getByRole('table').getByRole('button', { name: 'GET /customers/' });
    await rows.nth(1).waitFor();
    const names = await rows.allInnerTexts();
    expect(names.map((name) => /first|second/.exec(name)?.[0])).toEqual(['second', 'first']);
    // Whether the page saw them arrive or has read them in the journal.
    for (const one of [page, await open(`${url}/__control/ui`)]) {
      await one.getByRole('button', { name: 'GET /customers/second' }).click();
      const detail = one.getByRole('region', { name: 'Request 2' });
      await detail
        .getByText("UTC, when the account's clock showed 2020-01-01 00:00:00.000 UTC")
        .waitFor();
      expect(await one.locator('td.when').allInnerTexts()).toEqual([
        expect.stringMatching(/^(now|\d+s ago)$/),
        expect.stringMatching(/^(now|\d+s ago)$/),
      ]);
    }
  });

  test('are gone back to, to try a delete again under another decision', async () => {
    const { url } = await start();
    const page = await open(`${url}/__control/ui`);
    const deleteContract = () =>
      fetch(`${url}/contracts/${CONTRACT}`, { method: 'DELETE', ...as('app-token') });
    await deleteContract();
    await page.getByRole('button', { name: 'DELETE /contracts/…00000001' }).click();
    const detail = page.getByRole('region', { name: 'Request 1' });
    await detail.getByText('Puts back 1 record deleted by request 1.').waitFor();
    await detail.getByRole('button', { name: 'Back to before this request' }).click();
    await detail.getByText('neither it nor one that ran later has deleted').waitFor();
    await page
      .getByText(/The records of .* went back to before request 1; requests undone: 1\./)
      .waitFor();
    await page.getByRole('table').getByText('undone', { exact: true }).waitFor();
    const back = detail.getByRole('button', { name: 'Back to before this request' });
    await detail.locator('button:focus', { hasText: 'Back to before' }).waitFor();
    expect(await back.getAttribute('aria-disabled')).toBe('true');
    expect((await deleteContract()).status).toBe(200);

    const control = { ...as('app-token'), method: 'DELETE' };
    await fetch(`${url}/__control/contracts/${CONTRACT}`, control);
    await detail.getByRole('button', { name: 'Back to before this request' }).click();
    const refusal =
      'because .* was added, edited or removed after it by the page, the control plane or the library';
    await detail.getByRole('alert').getByText(new RegExp(refusal)).waitFor();
  });

  test('are copied as calls that do the same', async () => {
    const { url } = await start();
    const refs = { refs: ["it's one", 'b'] };
    await fetch(`${url}/events/delete-by-refs`, {
      method: 'POST',
      body: JSON.stringify(refs),
      headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
    });
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'POST /events/delete-by-refs' }).click();
    const buttons = page.getByRole('button', { name: 'Copy as' });
    const places = async () =>
      Promise.all((await buttons.all()).map(async (one) => (await one.boundingBox())?.x));
    await buttons.nth(2).waitFor();
    const before = await places();
    const copied = async (name: string) => {
      await page.getByRole('button', { name: `Copy as ${name}` }).click();
      await page.getByText(`Copied as ${name}.`).waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const { accounts } = Object(await (await fetch(`${url}/__control/accounts`)).json());
    const statusOf = (command: string) =>
      run('bash', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`]);
    const curl = await copied('curl');
    expect(curl).toContain(`--data-raw '{"refs":["it'\\''s one","b"]}'`);
    // These are for the client that sends it.
    expect(curl).not.toMatch(/-H '(?:host|connection|content-length|accept-encoding|user-agent)/i);
    expect((await statusOf(curl)).stdout).toBe('200');
    const code = await copied('fetch');
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
    const response = await new AsyncFunction(`return ${code.replace(/;$/, '')}`)();
    expect(response.status).toBe(200);
    // Both acted as the account.
    await page.getByText('3 requests', { exact: true }).waitFor();
    const after = Object(await (await fetch(`${url}/__control/accounts`)).json());
    expect(after.accounts).toMatchObject([{ id: accounts[0].id, requests: 3 }]);
    const test = await copied('test');
    expect(test).toContain('await fetch(mock.url + "/events/delete-by-refs", {');
    expect(test).toMatch(/Authorization: `Bearer .\{mock\.token\}`/);
    expect(test).toContain('expect(response.status).toBe(200);');
    // Only the last copy is said to be one, and no button has moved.
    expect(await page.getByText(/^Copied as/).allInnerTexts()).toEqual(['Copied as test.']);
    expect(await places()).toEqual(before);
  });

  test('are copied for curl to get the same status', async () => {
    const { url } = await start();
    const calls: [RegExp, string, RequestInit, string][] = [
      [/^HEAD/, '/measurements?limit=1', { method: 'HEAD', ...as('app-token') }, '200'],
      [/limit\[\]=1/, '/measurements?limit[]=1', as('app-token'), '400'],
      [/customers\/c1/, '/customers/c1', {}, '401'],
      [/customer\b/, '/customer', as('app-token'), '404'],
    ];
    for (const [, path, init] of calls) await fetch(url + path, init);
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('radio', { name: 'All' }).check();
    for (const [name, path, , status] of calls) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      await page.getByText('Copied as curl.').waitFor();
      const curl = await page.evaluate<string>('navigator.clipboard.readText()');
      const sent = run('bash', ['-c', `${curl} -s -o /dev/null -w '%{http_code}' --max-time 10`]);
      expect([path, (await sent).stdout]).toEqual([path, status]);
      await page.keyboard.press('Escape');
    }
  });

  test('are copied for curl without a type if their body had none', async () => {
    const { url } = await start();
    const post = (path: string, body: Uint8Array<ArrayBuffer>, type = {}) =>
      fetch(url + path, { method: 'POST', body, headers: { ...as('app-token').headers, ...type } });
    const stub = Buffer.from('{"method":"POST","path":"/invoices"}');
    await post('/__control/stubs', stub, { 'Content-Type': 'application/json' });
    await post('/invoices', Buffer.from('{"total":7}'));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'POST /invoices' }).click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied as curl.').waitFor();
    await run('bash', ['-c', await page.evaluate<string>('navigator.clipboard.readText()')]);
    const { requests } = Object(
      await (await fetch(`${url}/__control/requests`, as('app-token'))).json(),
    );
    expect(requests).toMatchObject([{ body: { total: 7 } }, { body: { total: 7 } }]);
    expect(requests[1].headers).not.toHaveProperty('content-type');
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

  test('are not called a try if somebody has repeated them later', async () => {
    const { url } = await start();
    await fetch(`${url}/__control/faults`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'status', status: 503, times: 3 }),
      headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
    });
    for (let times = 0; times < 4; times += 1) await fetch(`${url}/measurements`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await page.route('**/__control/requests?*', async (route) => {
      const response = await route.fetch();
      const { requests, ...others } = Object(await response.json());
      // The first two were sent seconds before the others.
      const earlier = requests.map((one: { receivedAt: string }, nth: number) => ({
        ...one,
        receivedAt: new Date(Date.parse(one.receivedAt) - (nth < 2 ? 5_000 : 0)).toISOString(),
      }));
      await route.fulfill({ response, json: { ...others, requests: earlier } });
    });
    await page.reload();
    const tags = page.locator('table.requests .tag').filter({ hasText: 'after' });
    await tags.nth(2).waitFor();
    expect(await tags.allInnerTexts()).toEqual([
      expect.stringMatching(/^try 2 after \d+ ms$/),
      expect.stringMatching(/^again after [45] s$/),
      expect.stringMatching(/^try 2 after \d+ ms$/),
    ]);
  });

  test('are filtered by operation, status and text, which a key leads to', async () => {
    const { url } = await start();
    for (const path of ['/measurements?limit=1', '/customers/nobody', '/measurements?limit=x']) {
      await fetch(url + path, as('app-token'));
    }
    const page = await open(`${url}/__control/ui`);
    const rows = page.locator('table.requests tbody tr');
    await rows.nth(2).waitFor();
    await page.getByLabel('Status').selectOption('4xx refused');
    expect(await rows.count()).toBe(2);
    await page.getByLabel('Operation').selectOption('getCustomer');
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Operation').selectOption('any operation');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('/');
    await page.keyboard.type('/measure');
    await page.getByText('1 of 3 requests').waitFor();
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining('limit=x')]);
    const sent = await open(page.url());
    await sent.getByText('1 of 3 requests').waitFor();
    expect(await sent.getByLabel('Search').inputValue()).toBe('/measure');
    await openView(page, 'Decisions');
    await page.waitForURL('**/ui#decisions/*');
    await page.goBack();
    await page.getByText('1 of 3 requests').waitFor();
  });

  test('are opened by their whole row, and by the keys of the arrows, and are in the address', async () => {
    const { url } = await start();
    for (const id of ['one', 'two', 'three'])
      await fetch(`${url}/customers/${id}`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    const rows = page.locator('table.requests tbody tr');
    await rows.nth(2).locator('td.when').click();
    await page.getByRole('region', { name: 'Request 1' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('region', { name: 'Request 2' }).getByText("'two'").first().waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('region', { name: 'Request 3' }).waitFor();
    expect(await rows.nth(0).getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Request 3' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Request 2' }).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('j');
    await page.getByRole('region', { name: 'Request 1' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('region', { name: 'Request 2' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).getByText('next row').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Request 2' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Request 2' }).getByText("'two'").first().waitFor();

    await fetch(`${url}/customers/later`, as('later-token'));
    const again = await open(page.url());
    await again.getByRole('region', { name: 'Request 2' }).getByText("'two'").first().waitFor();
    await again.getByRole('button', { name: /^Account: app/ }).waitFor();
  });

  test('have names as people write them, with the reason below, also on a narrow screen', async () => {
    const { url } = await start();
    await fetch(
      `${url}/customers/name/${encodeURIComponent('Jürgen & Söhne 東京')}`,
      as('app-token'),
    );
    const page = await open(`${url}/__control/ui`, { width: 390 });
    const row = page.locator('table.requests tbody tr').first();
    await row.getByText('/customers/name/Jürgen %26 Söhne 東京').waitFor();
    const { width = 0 } = (await row.locator('.why').boundingBox()) ?? {};
    expect(width).toBeGreaterThan(150);
    // The decision comes last, where a narrow row is cut off.
    expect(await row.locator('.why').innerText()).toMatch(/^This account has no customer/);
    await page.setViewportSize({ width: 360, height: 740 });
    expect((await row.boundingBox())?.y).toBeLessThan(370);
    const search = page.getByLabel('Search');
    expect(await search.isVisible()).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.type('Jürgen');
    await page.getByText('1 request', { exact: true }).waitFor();
    expect(await search.inputValue()).toBe('Jürgen');
    await search.fill('');
    await page.getByText('1 request', { exact: true }).waitFor();
    expect(await search.isVisible()).toBe(true);
  });

  test('say why they were refused, in narrow rows and first of all in the details', async () => {
    const { url } = await start();
    await fetch(`${url}/customers/name/ACME%20corporation`, as('app-token'));
    await fetch(`${url}/customers/${CONTRACT}`, as('app-token'));
    const page = await open(`${url}/__control/ui`, { width: 1024 });
    const rows = page.locator('table.requests tbody tr');
    await rows.first().getByText('This is the id of a record in contracts.').waitFor();
    await rows.nth(1).getByText("Send 'Acme Corporation', which differs only in case.").waitFor();
    await rows.nth(1).getByRole('button').click();
    const detail = page.getByRole('region', { name: 'Request 1' });
    const reason = detail.getByText("Here the decision 'name-matches' is 'exact'");
    await reason.waitFor();
    expect(await rows.nth(1).locator('.why').innerText()).toMatch(/^This account has no customer/);
    const topOf = async (one: typeof reason) => (await one.boundingBox())?.y ?? Number.NaN;
    const back = detail.getByRole('button', { name: 'Back to before this request' });
    expect(await topOf(reason)).toBeLessThan(await topOf(back));
  });

  test('join the tries of one call, are hidden by Clear alone, and are downloaded', async () => {
    const { url } = await start();
    const fault = { kind: 'status', status: 503, times: 2 };
    await fetch(`${url}/__control/faults`, {
      method: 'POST',
      body: JSON.stringify(fault),
      headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
    });
    for (let times = 0; times < 3; times += 1) await fetch(`${url}/measurements`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await page.locator('tr', { hasText: 'try 3' }).getByText('200 OK').waitFor();
    expect(await page.locator('table.requests td svg line').count()).toBe(2);
    const download = async (name: string) => {
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Download ${name}` }).click(),
      ]);
      return JSON.parse(await readFile(await saved.path(), 'utf8'));
    };
    expect((await download('HAR')).log.entries).toHaveLength(3);
    expect(await download('JSON')).toMatchObject([
      { status: 503 },
      { status: 503 },
      { status: 200 },
    ]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await fetch(`${url}/customers/nobody`, as('app-token'));
    await page.getByRole('button', { name: 'GET /customers/nobody' }).waitFor();
    expect(await page.locator('table.requests tbody tr').count()).toBe(1);
    await page.reload();
    await page.getByRole('button', { name: 'Show 3 earlier' }).click();
    await page.locator('tr', { hasText: 'try 3' }).waitFor();
    const { requests } = Object(
      await (await fetch(`${url}/__control/requests`, as('app-token'))).json(),
    );
    expect(requests).toHaveLength(4);

    await page.getByRole('button', { name: 'Clear' }).click();
    await page.locator('table.requests tbody tr').first().waitFor({ state: 'detached' });
    // From now on, their numbers start at 1 again.
    await fetch(`${url}/__control/reset`, { method: 'POST', ...as('app-token') });
    await fetch(`${url}/customers/later`, as('app-token'));
    await page.getByRole('button', { name: 'GET /customers/later' }).waitFor();
  });

  test('are those of the account that was asked last, until another is chosen', async () => {
    const { url } = await start();
    await fetch(`${url}/customers/first`, as('first-token'));
    await fetch(`${url}/customers/second`, as('second-token'));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /customers/second' }).waitFor();
    await fetch(`${url}/customers/third`, as('third-token'));
    await page.getByRole('button', { name: 'GET /customers/third' }).waitFor();
    await (await openAccounts(page)).filter({ hasText: 'fir…en#1' }).click();
    await page.getByRole('button', { name: 'GET /customers/first' }).waitFor();
    expect(await page.getByLabel('Follow').isChecked()).toBe(false);
    await fetch(`${url}/customers/fourth`, as('third-token'));
    await waitForAccount(page, 'thi…en#3 · 2 of 2 refused');
    expect(await page.getByRole('button', { name: 'GET /customers/fourth' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'GET /customers/first' }).waitFor();
    expect(await page.getByLabel('Follow').isChecked()).toBe(false);
    await page.getByLabel('Follow').check();
    await fetch(`${url}/customers/fifth`, as('third-token'));
    await page.getByRole('button', { name: 'GET /customers/fifth' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'GET /customers/fifth' }).waitFor();
    expect(await page.getByLabel('Follow').isChecked()).toBe(true);
  });

  test('stay while one of them is open, whoever sends others, which are followed again after it', async () => {
    const { url } = await start();
    await fetch(`${url}/customers/first`, as('first-token'));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /customers/first' }).click();
    await fetch(`${url}/customers/second`, as('second-token'));
    await waitForAccount(page, /#2 · 1 of 1 refused$/);
    expect(await page.getByRole('button', { name: 'GET /customers/first' }).count()).toBe(1);
    await page.getByRole('checkbox', { name: 'Follow (paused)', checked: true }).waitFor();
    // At once: not when the accounts are next listed.
    await page.route(/__control\/accounts\?/, () => undefined);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'GET /customers/second' }).waitFor();
    expect(await page.getByText('(paused)').count()).toBe(0);
  });

  test('of every account are there that came before the page, with what was sent back', async () => {
    const { url } = await start();
    for (const name of ['first', 'second', 'third'])
      await fetch(`${url}/customers/${name}`, as(`${name}-token`));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByRole('button', { name: 'GET /customers/first' }).click();
    const response = page.getByRole('region', { name: 'Response' });
    await response.getByText('"title": "Not found"').waitFor();
    await waitForAccount(page, 'fir…en#1 · 1 of 1 refused');
  });

  test('of tests say which test sent them', async () => {
    const { url } = await start();
    const nameOf = createTestTokens(['run-1a2b3c4d']);
    const test = 'a client of the billing service › deletes a contract twice';
    const token = nameOf({ file: 'test/client.test.ts', test });
    for (let times = 0; times < 2; times += 1)
      await fetch(`${url}/contracts/${CONTRACT}`, { method: 'DELETE', ...as(token) });
    const page = await open(`${url}/__control/ui`);
    await waitForAccount(page, /^deletes a contract twice#1 · 1 of 2 refused/);
    await page.getByRole('radio', { name: 'All' }).check();
    await page
      .locator('td.name', { hasText: /^deletes a contract twice#1$/ })
      .first()
      .waitFor();
  });

  test('do not move while somebody reads further down', async () => {
    const { url } = await start();
    for (let nth = 0; nth < 60; nth += 1) await fetch(`${url}/customers/c${nth}`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    const rows = page.locator('table.requests tbody tr');
    await rows.nth(49).waitFor();
    await page.mouse.wheel(0, 600);
    const until = (condition: string) => waitUntil(page, condition);
    await until('scrollY > 500 && history.state?.scrollY === scrollY');
    await page.reload();
    await until('scrollY > 500');
    await page.getByText('Live', { exact: true }).waitFor();
    await fetch(`${url}/customers/new`, as('app-token'));
    const newer = page.getByRole('button', { name: 'Show 1 newer' });
    await newer.waitFor();
    expect(await rows.first().innerText()).toContain('/customers/c59');
    await newer.click();
    await rows.first().getByText('/customers/new').waitFor();
  });

  test('are drawn 50 at a time when the list returns to its top, even after hundreds', async () => {
    const { url } = await start();
    const send = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => fetch(`${url}/customers/first`, as('app-token'))),
      );
    await send(400);
    const page = await open(`${url}/__control/ui`);
    for (const drawn of [50, 100, 150, 200]) {
      await page.locator(`table.requests tbody tr:nth-child(${drawn})`).waitFor();
      await page.getByText('Show more of 400').click();
    }
    await page.locator('table.requests tbody tr:nth-child(250)').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await send(200);
    await page.evaluate(`
      window.drawn = [];
      new MutationObserver((changes) => {
        drawn.push(changes.reduce((sum, { addedNodes }) => sum + addedNodes.length, 0));
      }).observe(document.querySelector('table.requests tbody'), { childList: true });
    `);
    await page.getByRole('button', { name: 'Show 200 newer' }).click();
    await waitUntil(page, "document.querySelectorAll('table.requests tbody tr').length === 50");
    expect(await page.evaluate('Math.max(...drawn)')).toBe(50);
  });

  test('are at the scroll position at which they were left, by Back and Forward too', async () => {
    const { url } = await start();
    for (let nth = 0; nth < 60; nth += 1) await fetch(`${url}/customers/c${nth}`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    const rows = page.locator('table.requests tbody tr');
    await rows.nth(49).waitFor();
    const until = (condition: string) => waitUntil(page, condition);
    // At once, as by a key: nothing waits until the page stands still.
    const leaveAt = (top: number, view: string) =>
      page.evaluate(
        `scrollTo(0, ${top}); document.querySelector('nav a[href^="#${view}"]').click()`,
      );
    await leaveAt(700, 'decisions');
    await page.locator('.decisions').first().waitFor();
    await until('scrollY === 0');
    await leaveAt(400, 'requests');
    await rows.first().waitFor();
    await page.goBack();
    await until('scrollY === 400');
    await page.goBack();
    await until('scrollY === 700');
    await page.goForward();
    await until('scrollY === 400');

    await openView(page, 'Requests');
    await page.evaluate('scrollTo(0, 0)');
    await rows.first().locator('button.open').click();
    await page.getByRole('region', { name: 'Request 60' }).waitFor();
    await page.mouse.wheel(0, 600);
    await until('scrollY > 500');
    await page.goBack();
    await until('scrollY === 0');
  });

  test('that come too fast to follow are counted, and shown when it calms down', async () => {
    const { url } = await start();
    const page = await open(`${url}/__control/ui`);
    await page.getByText('Live', { exact: true }).waitFor();
    // So long that an event of the stream has room for only a few.
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const headers = { 'User-Agent': 'x'.repeat(10_000), 'Content-Type': 'application/json' };
    const options = { agent, method: 'POST', headers: { ...as('app-token').headers, ...headers } };
    const body = JSON.stringify({ refs: ['x'.repeat(15_000)] });
    const send = () =>
      new Promise((resolve, reject) => {
        request(`${url}/events/delete-by-refs`, options, (response) =>
          response.resume().on('end', resolve),
        )
          .on('error', reject)
          .end(body);
      });
    await Promise.all(Array.from({ length: 600 }, send));
    agent.destroy();
    await page.getByText('requests came too fast to show').waitFor();
    await page.getByText('Show more of 600', { exact: true }).waitFor();
    await page.getByText('requests came too fast to show').waitFor({ state: 'detached' });
  });

  test('that reached no account are shown too', async () => {
    const { url } = await start();
    const page = await open(`${url}/__control/ui`);
    await fetch(`${url}/invoices`);
    await page.getByRole('button', { name: 'GET /invoices' }).click();
    await page
      .getByRole('region', { name: 'Request 1' })
      .getByText('matches no operation')
      .waitFor();
    await page.keyboard.press('Escape');
    await fetch(`${url}/measurements`, as('app-token'));
    await page.getByRole('button', { name: 'GET /measurements' }).waitFor();
    expect(await page.getByRole('button', { name: 'GET /invoices' }).count()).toBe(0);
    await page.getByRole('radio', { name: 'Wrong path or token 1' }).check();
    await page.getByRole('button', { name: 'GET /invoices' }).waitFor();
    await page.getByRole('radio', { name: 'All' }).check();
    expect(await page.locator('table.requests tbody tr').count()).toBe(2);
  });

  test('need the control token where there is one, which stands in no address that is sent', async () => {
    const { url } = await start(['--control-token', 'secret-token']);
    await fetch(`${url}/customers/first`, as('first-token'));
    const page = await open(`${url}/__control/ui`);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.getByLabel('Token', { exact: true }).fill('wrong-token');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('Token: the one in this tab was refused.').waitFor();
    await page.getByLabel('Token', { exact: true }).fill('secret-token');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('button', { name: 'GET /customers/first' }).waitFor();

    const other = await open(`${url}/__control/ui#token=secret-token`);
    other.on('request', (request) => sent.push(request.url()));
    await other.getByRole('button', { name: 'GET /customers/first' }).waitFor();
    expect(other.url()).not.toContain('secret-token');
    expect(sent.join()).not.toContain('secret-token');
  });
});
