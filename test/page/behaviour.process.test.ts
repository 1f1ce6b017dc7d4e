import { once } from 'node:events';
import { get } from 'node:http';
import type { Page } from 'playwright-core';
import { openView, usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';

const CONTRACT = '65b000000000000000000001';
/** Switches the decision on repeated deletes. */
const decide = (page: Page, value: string) =>
  page
    .getByRole('group', { name: 'What does a second delete of a contract return?' })
    .getByRole('radio', { name: value })
    .click();
const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describeInChromium('the behaviour on the page', () => {
  const start = useCommands();
  const open = usePages();

  async function opened(view: string, ...flags: readonly string[]) {
    const { url } = await start(flags);
    const call = (path: string, method = 'GET') =>
      fetch(url + path, { method, ...as('app-token') });
    await call('/measurements?limit=1');
    const page = await open(`${url}/__control/ui`);
    await openView(page, view);
    const notDefault = page.getByRole('region', { name: 'Non-default settings' });
    return { url, call, page, notDefault };
  }

  test('has faults that the next request meets, until one button ends them', async () => {
    const { page, call, notDefault } = await opened('Behaviour');
    await page.getByLabel('How often').selectOption('always');
    await page.getByRole('button', { name: '429' }).click();
    await notDefault.getByText('429 on every operation').waitFor();
    const { status, headers } = await call('/measurements');
    expect([status, headers.get('retry-after')]).toEqual([429, '2']);
    await page.getByRole('button', { name: 'End 429 on every operation' }).click();
    await notDefault.waitFor({ state: 'detached' });
    expect((await call('/measurements')).status).toBe(200);
  });

  test('says at once that a fault has fired', async () => {
    const { page, call, notDefault } = await opened('Behaviour');
    // So that it does not wait for the next time at which it looks.
    await page.addInitScript('window.setInterval = () => 0');
    await page.reload();
    await page.getByLabel('How often').selectOption('always');
    await page.getByRole('button', { name: '503' }).click();
    await notDefault.getByText('503 on every operation, always (not fired yet)').waitFor();
    expect((await call('/measurements')).status).toBe(503);
    await notDefault.getByText('(not fired yet)').waitFor({ state: 'detached' });
    await notDefault.getByText('503 on every operation, always').waitFor();
  });

  test('has faults for so many requests, which the chips name as their buttons do', async () => {
    const { page, call, notDefault } = await opened('Behaviour');
    await page
      .getByRole('combobox', { name: 'Operation', exact: true })
      .selectOption('listMeasurements');
    await page.getByLabel('How often').selectOption('next 2');
    await page.getByLabel('Another status').fill('418');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await notDefault.getByText('418 on listMeasurements, next 2').waitFor();
    expect((await call('/customers/nobody')).status).toBe(404);
    expect((await call('/measurements')).status).toBe(418);
    await notDefault.getByText('418 on listMeasurements, next 1').waitFor();
    expect((await call('/measurements')).status).toBe(418);
    await notDefault.waitFor({ state: 'detached' });
    expect((await call('/measurements')).status).toBe(200);
    await page.getByRole('button', { name: 'Slow' }).click();
    await notDefault.getByText('Slow on listMeasurements, next 2').waitFor();
  });

  test('holds a response until it is let go, at the top, in the list or in its details', async () => {
    const { page, call, notDefault } = await opened('Behaviour');
    const places = [
      notDefault,
      page.getByRole('table', { name: 'Requests, newest first' }),
      page.getByRole('region', { name: 'Request 4' }),
    ];
    for (const [nth, place] of places.entries()) {
      await openView(page, 'Behaviour');
      await page.getByRole('button', { name: 'Hold', exact: true }).click();
      await notDefault.getByText('Hold on every operation, next 1').waitFor();
      const held = call(`/measurements?limit=${nth + 2}`);
      await notDefault.getByText('Hold on every operation, holds 1 request').waitFor();
      await openView(page, 'Requests');
      if (nth === 2) {
        await page.getByRole('button', { name: 'GET /measurements?limit=4' }).click();
        const sent = page.getByRole('region', { name: 'Request 4' });
        await sent.getByText(/^\d+ headers$/).click();
        await sent.getByText('authorization: Bearer [redacted]').waitFor();
      }
      await place.getByRole('button', { name: 'Let go' }).click();
      expect((await held).status).toBe(200);
      await notDefault.waitFor({ state: 'detached' });
    }
    await places[2]?.getByRole('region', { name: 'Response' }).waitFor();
  });

  test('shows the body of a held request while it waits', async () => {
    const { url, page, notDefault } = await opened('Behaviour');
    await page.getByRole('button', { name: 'Hold', exact: true }).click();
    await notDefault.waitFor();
    const held = fetch(`${url}/events/delete-by-refs`, {
      method: 'POST',
      body: JSON.stringify({ refs: ['globex-march'] }),
      headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
    });
    await openView(page, 'Requests');
    await page.getByRole('button', { name: 'POST /events/delete-by-refs' }).click();
    const sent = page.getByRole('region', { name: 'Request 2' });
    await sent.getByText('globex-march').waitFor();
    await sent.getByRole('button', { name: 'Let go' }).click();
    expect((await held).status).toBe(200);
  });

  test('says of a fault that it comes after the operation', async () => {
    const { url, page } = await opened('Behaviour');
    for (const kind of ['hold', 'empty', 'status'])
      await fetch(`${url}/__control/faults`, {
        method: 'POST',
        body: JSON.stringify({ kind, phase: 'after', ...(kind === 'status' && { status: 500 }) }),
        headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
      });
    const faults = page.locator('table.faults');
    for (const words of ['Hold', 'empty', '500'])
      await faults.getByRole('cell', { name: `${words} after the operation` }).waitFor();
  });

  test('has the scenarios of the dataset, each of which a click applies', async () => {
    const { page, call, notDefault } = await opened('Behaviour', '--dataset', 'demo');
    await page.getByRole('button', { name: 'slow', exact: true }).click();
    await notDefault.getByText('Latency 800–2500 ms').waitFor();
    await page.getByRole('button', { name: 'outage', exact: true }).click();
    await notDefault.getByText('503 on every operation, always').waitFor();
    await notDefault.getByText('Latency').waitFor({ state: 'detached' });
    expect((await call('/measurements')).status).toBe(503);
  });

  test('has the decisions by operation, each of which stays where it is when it is switched', async () => {
    const { page, call } = await opened('Decisions');
    const titles = page.locator('.decisions h3');
    await titles.first().waitFor();
    expect((await titles.allInnerTexts()).slice(0, 2)).toEqual([
      'deleteContract',
      'getCustomerByName',
    ]);
    const [one, some, every] = [
      'listMeasurements',
      'deleteContract, deleteEventsByRefs',
      'Every operation',
    ].map((title) => page.locator('.decisions', { has: page.getByText(title, { exact: true }) }));
    await one?.getByText('limit-out-of-bounds', { exact: true }).waitFor();
    await some?.getByText('updated-at-on-delete', { exact: true }).waitFor();
    await every?.getByText('unknown-query-parameters', { exact: true }).waitFor();
    const question = page.getByText('In which order are measurements listed?').first();
    await question.scrollIntoViewIfNeeded();
    await page.getByRole('radio', { name: 'newest-first' }).first().click();
    await page.getByText('The default is usage-date. From the next response on:').waitFor();
    expect(await titles.allInnerTexts()).not.toContain('Changed');
    await page.keyboard.press('/');
    await page.keyboard.type('second delete');
    await titles.nth(1).waitFor({ state: 'detached' });
    await decide(page, 'gone');
    await page.getByText('The default is not-found.').waitFor();
    await page.reload();
    await page.getByText('The default is not-found.').waitFor();
    const decisions = (await (await call('/__control/decisions')).json()) as object;
    expect(decisions).toMatchObject({
      'repeat-delete': 'gone',
      'measurement-order': 'newest-first',
    });
  });

  test('is undone after a reset and an import, with what came after', async () => {
    const { page, call, notDefault } = await opened('Behaviour');
    const changed = page.getByText('Changed records').locator('..');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as dataset' }).click();
    const saved = await (await saving).path();
    await page.getByRole('button', { name: '500', exact: true }).click();
    await notDefault.waitFor();
    await page.getByRole('button', { name: 'End 500 on every operation' }).click();
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    await changed.getByText('1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    await notDefault.waitFor();

    await page.getByRole('button', { name: 'Reset the account' }).click();
    const notice = page.locator('main .note').filter({ hasText: /^Reset app…en#1\./ });
    await notice.getByText('Since then: 0 successful deletes.').waitFor();
    await notDefault.waitFor({ state: 'detached' });
    await changed.getByText('0', { exact: true }).waitFor();
    expect((await call(`/contracts/${CONTRACT}`, 'DELETE')).status).toBe(200);
    await notice.getByText('Since then: 1 successful delete.').waitFor();
    await page.reload();
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: Reset app…en#1.').waitFor();
    await notDefault.getByText('Clock frozen at').waitFor();
    expect((await call(`/contracts/${CONTRACT}`, 'DELETE')).status).toBe(404);
    const { requests } = Object(await (await call('/__control/requests')).json());
    expect(requests).toHaveLength(4);

    await page.getByLabel('Import dataset…').setInputFiles(saved);
    await page.getByText(/^Imported .* into app…en#1\./).waitFor();
    expect((await call(`/contracts/${CONTRACT}`, 'DELETE')).status).toBe(200);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone: Imported').waitFor();
    await changed.getByText('1', { exact: true }).waitFor();

    for (const name of ['demo', 'empty']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByText(`Reset to the dataset ${name}: app…en#1.`).waitFor();
      const { total } = Object(await (await call('/measurements')).json());
      expect(total === 0).toBe(name === 'empty');
    }
    await page.getByText('Resetting reverts dataset, records.').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone: Reset to the dataset empty').waitFor();
    await page.getByText('demo (').waitFor();
    // Nothing of it is left among the snapshots.
    const { snapshots } = Object(await (await call('/__control/snapshots')).json());
    expect(snapshots).toEqual([]);
  });

  test('says what a reset reverts: what differs from the state at opening', async () => {
    const { page, call } = await opened('Behaviour', '--latency', '5');
    const said = (what: string) => page.getByText(`Resetting reverts ${what}.`).waitFor();
    await page.getByText('Latency 5 ms').waitFor();
    await said('nothing: the account is as it opened');
    await page.getByRole('button', { name: '500', exact: true }).click();
    await said('faults');
    await call('/measurements');
    await said('nothing: the account is as it opened');
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    await page.getByRole('button', { name: 'End Latency 5 ms' }).click();
    await said('records, latency');
    await page.getByRole('button', { name: 'Reset the account' }).click();
    await said('nothing: the account is as it opened');
    await page.getByText('Latency 5 ms').waitFor();
  });

  test('counts the deletes since a reset, at least those of a journal that was cleared or restarted', async () => {
    const { page, call } = await opened('Requests');
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    await page.getByRole('button', { name: 'DELETE /contracts/…00000001' }).waitFor();
    await openView(page, 'Behaviour');
    await page.getByRole('button', { name: 'Reset the account' }).click();
    const notice = page.locator('main .note').filter({ hasText: /^Reset app…en#1\./ });
    await notice.waitFor();
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    await notice.getByText('Since then: 1 successful delete.').waitFor();
    await call('/__control/requests', 'DELETE');
    await call('/measurements?limit=1');
    await notice.getByText('Since then: at least 0 successful deletes.').waitFor();
    await call('/__control/reset', 'POST');
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    await notice.getByText('Since then: 1 successful delete.').waitFor();
  });

  test('cannot be undone where the mock has no room for that, which the notice says', async () => {
    const { url, page } = await opened('Behaviour', '--dataset', 'empty');
    const customers = (count: number) =>
      Array.from({ length: count }, (_, nth) => ({ id: `c-${nth}` }));
    const put = (token: string, path: string, body: object) =>
      fetch(`${url}/__control${path}`, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: { ...as(token).headers, 'Content-Type': 'application/json' },
      });
    for (const [nth, many] of [25_000, 25_000, 25_000, 24_995].entries())
      await put(`other-token-${nth}`, '/state', { customers: customers(many) });
    const changed = page.getByText('Changed records').locator('..');
    const noRoom = (words: string) =>
      page
        .locator('main .note')
        .filter({ hasText: `${words} This cannot be undone` })
        .waitFor();
    // There is room for the snapshot or for the import, not for both.
    await put('app-token', '/customers/c1', { name: 'One' });
    const file = writeFixture(JSON.stringify({ customers: customers(5) }), 'state.json');
    await page.getByLabel('Import dataset…').setInputFiles(file);
    await noRoom('Imported state.json into app…en#1.');
    // There is no room for the snapshot.
    await page.getByRole('button', { name: 'Reset the account' }).click();
    await noRoom('Reset app…en#1.');
    await changed.getByText('0', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
  });

  test('has a place for stubs, and is saved to a file that can be imported', async () => {
    const { page, call } = await opened('Behaviour');
    await page.getByLabel('Path', { exact: true }).fill('/invoices/{id}');
    await page.getByLabel('Body: JSON').last().fill('{ "id": "{{path.id}}" }');
    await page.getByRole('button', { name: 'Add stub' }).click();
    await page.getByRole('button', { name: 'Remove stub 1' }).waitFor();
    expect(await (await call('/invoices/i1')).json()).toEqual({ id: 'i1' });
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as dataset' }).click(),
    ]);
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    await page.getByRole('button', { name: 'Remove stub 1' }).click();
    const changed = page.getByText('Changed records').locator('..');
    await changed.getByText('1', { exact: true }).waitFor();
    await page.getByLabel('Import dataset…').setInputFiles(await saved.path());
    await changed.getByText('0', { exact: true }).waitFor();
    expect((await call(`/contracts/${CONTRACT}`, 'DELETE')).status).toBe(200);
    expect(await (await call('/invoices/i1')).json()).toEqual({ id: 'i1' });
  });

  test('has a network failure that an app in a browser sees, once, though browsers send again after a reset', async () => {
    const { url, page, notDefault } = await opened('Behaviour');
    const app = (await page.context().browser()?.newPage()) as Page;
    const read = `fetch('${url}/measurements?limit=1', { headers: { Authorization: 'Bearer app-token' } })
      .then(({ status }) => status, ({ message }) => message)`;
    // Then the browser has several connections, on each of which it would send again.
    expect(await app.evaluate(`Promise.all([${read}, ${read}, ${read}])`)).toEqual([200, 200, 200]);
    // Even if something else, such as curl, has sent a request since.
    const [other] = await once(get(`${url}/measurements?limit=2`, as('app-token')), 'response');
    other.resume();
    await openView(page, 'Requests');
    await page.getByRole('button', { name: 'GET /measurements?limit=2' }).waitFor();
    await openView(page, 'Behaviour');
    await page.getByTitle(/redirects it to port 1/).click();
    await notDefault.getByText('Network failure on every operation, next 1').waitFor();
    expect(await app.evaluate(read)).toBe('Failed to fetch');
    await notDefault.waitFor({ state: 'detached' });
    expect(await app.evaluate(read)).toBe(200);
    await app.close();
  });

  test('has presets that break responses', async () => {
    const { page, call, notDefault } = await opened('Behaviour');
    const outcomeOf = (response: Promise<Response>) =>
      response.then(
        async (one) => [one.status, await one.json().catch(({ name }: Error) => name)],
        ({ message }: Error) => message,
      );
    for (const [preset, outcome] of [
      ['500', [500, expect.any(Object)]],
      ['Lost response', 'fetch failed'],
      ['Network failure', 'fetch failed'],
      ['Broken JSON', [200, 'SyntaxError']],
    ] as const) {
      await page.getByRole('button', { name: preset, exact: true }).click();
      await notDefault.waitFor();
      expect([preset, await outcomeOf(call('/measurements?limit=1'))]).toEqual([preset, outcome]);
      await notDefault.waitFor({ state: 'detached' });
    }
  });

  test('is wholly the default again after one button', async () => {
    const { url, page, call, notDefault } = await opened('Behaviour');
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    await notDefault.getByText('Clock frozen at').waitFor();
    await page.getByRole('button', { name: 'Delay responses' }).click();
    await notDefault.getByText('Latency 20–200 ms').waitFor();
    await openView(page, 'Decisions');
    await decide(page, 'gone');
    await notDefault.getByText('repeat-delete: gone').waitFor();
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    expect((await call(`/contracts/${CONTRACT}`, 'DELETE')).status).toBe(410);
    await openView(page, 'Records');
    await page.getByRole('button', { name: 'Use built-in defaults' }).click();
    await notDefault.waitFor({ state: 'detached' });
    const control = async (path: string): Promise<unknown> =>
      (await fetch(`${url}/__control${path}`, as('app-token'))).json();
    expect(await control('/clock')).toMatchObject({ isFrozen: false });
    expect(await control('/latency')).toEqual({ minMs: 0, maxMs: 0 });
    expect(await control('/decisions')).toMatchObject({ 'repeat-delete': 'not-found' });
  });

  test('is that of the same account after a reload, whoever sends requests', async () => {
    const { url, page, notDefault } = await opened('Behaviour');
    await page.getByRole('button', { name: '500', exact: true }).click();
    await notDefault.waitFor();
    await fetch(`${url}/customers/later`, as('later-token'));
    await page.reload();
    await page.getByRole('button', { name: /^Account: app/ }).waitFor();
    await notDefault.waitFor();
    expect(page.url()).not.toContain('app-token');
    const { accounts } = Object(await (await fetch(`${url}/__control/accounts`)).json());
    await openView(page, 'Decisions');
    await page.waitForURL(`**/ui#decisions/${accounts[1].id}`);
    await page.goBack();
    await page.waitForURL(`**/ui#behaviour/${accounts[1].id}`);
  });

  test('has no clock that was set where the browser has another time than the mock', async () => {
    const { page, notDefault } = await opened('Requests');
    await page.clock.install({ time: '2031-01-01T00:00:00Z' });
    await page.reload();
    await openView(page, 'Behaviour');
    await page.getByRole('heading', { name: 'Clock' }).waitFor();
    expect(await notDefault.count()).toBe(0);
    await page.getByRole('button', { name: 'Advance 1 hour' }).click();
    await notDefault.getByText('Clock set to').waitFor();
  });

  test('is saved by a snapshot, and brought back by it', async () => {
    const { page, call } = await opened('Behaviour');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('before');
    await page.getByRole('button', { name: 'Take snapshot' }).click();
    await page.getByRole('button', { name: 'Restore before' }).waitFor();
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    await page.getByRole('button', { name: 'Restore before' }).click();
    await page.getByText('Restored the snapshot before of').waitFor();
    expect((await call(`/contracts/${CONTRACT}`, 'DELETE')).status).toBe(200);
  });
});
