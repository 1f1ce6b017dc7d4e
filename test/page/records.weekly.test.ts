import { setTimeout } from 'node:timers/promises';
import { openView, usePages, waitUntil } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const CONTRACT = '65b000000000000000000001';
const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describeInChromium('the records on the page', () => {
  const start = useCommands();
  const open = usePages();

  const opened = (...args: string[]) => openedAt(1200, ...args);

  async function openedAt(width: number, ...args: string[]) {
    const { url } = await start(args);
    await fetch(`${url}/measurements?limit=1`, as('app-token'));
    const page = await open(`${url}/__control/ui`, { width });
    await openView(page, 'Records');
    const stored = async (path: string): Promise<Record<string, unknown>> =>
      (await (await fetch(`${url}/__control${path}`, as('app-token'))).json()) as never;
    return { url, page, stored, rows: page.locator('table.records tbody tr') };
  }

  test('lead to the request that deleted them, if one did', async () => {
    const { url, page, rows, stored } = await opened('--dataset', 'default');
    const headers = { ...as('app-token').headers, 'Content-Type': 'application/json' };
    const send = (method: string, path: string, body?: object) =>
      fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    await send('DELETE', `/contracts/${CONTRACT}`);
    await send('POST', '/events/delete-by-refs', { refs: ['acme-2026-03-31-001'] });
    await send('DELETE', `/contracts/${CONTRACT}`);
    const deletedAt = new Date().toISOString();
    await send('PATCH', '/__control/contracts/65b000000000000000000002', { deletedAt });
    await page.getByRole('radio', { name: 'Events' }).click();
    await page.getByLabel('Search').fill('acme-2026-03-31-001');
    await rows.first().getByText('deleted').waitFor();
    await rows.first().getByRole('button').first().click();
    await page.getByRole('link', { name: 'Deleted by request 3' }).waitFor();
    const { accounts } = Object(await (await fetch(`${url}/__control/accounts`)).json());
    const contract = (id: string) =>
      page.goto(`${url}/__control/ui#records/${accounts[0].id}/contracts/${id}`);
    await contract('65b000000000000000000002');
    await page.getByText('Deleted by no request that is kept').waitFor();
    // The same instant, half a day earlier by its digits.
    const { deletedAt: known } = await stored(`/contracts/${CONTRACT}`);
    const earlier = new Date(Date.parse(String(known)) - 43_200_000).toISOString();
    await send('PATCH', `/__control/contracts/${CONTRACT}`, {
      deletedAt: earlier.replace('Z', '-12:00'),
    });
    await contract(CONTRACT);
    await page.getByRole('link', { name: 'Deleted by request 2' }).click();
    await page
      .getByRole('region', { name: 'Request 2' })
      .getByText(/^Request 2 of app/)
      .waitFor();
  });

  test('are edited against the schema, and marked as changed', async () => {
    const { page, stored } = await opened();
    await page.getByRole('button', { name: 'Acme Corporation' }).click();
    const text = page.getByLabel('Customer', { exact: true });
    const record = JSON.parse(await text.inputValue());
    await text.fill('{');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Customer: this cannot be read as JSON').waitFor();
    await text.fill(JSON.stringify({ ...record, name: 'Initech' }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored(`/customers/${record.id}`)).toMatchObject({ name: 'Initech' });
    await page.locator('tr', { hasText: 'Initech' }).getByText('updated').waitFor();
    const changes = page.getByLabel('Changes from the dataset');
    await changes.locator('del', { hasText: record.name }).waitFor();
    await changes.locator('ins', { hasText: 'Initech' }).waitFor();
  });

  test('are deleted, and restored from the tombstone', async () => {
    const { page, stored } = await opened();
    await page.getByRole('radio', { name: 'Contracts' }).check();
    await page.getByRole('cell', { name: '…00000001' }).click();
    await page.getByRole('button', { name: 'Soft-delete', exact: true }).click();
    await page.getByText('Deleted.').waitFor();
    expect(await stored(`/contracts/${CONTRACT}`)).toHaveProperty('deletedAt');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('Restored.').waitFor();
    expect(await stored(`/contracts/${CONTRACT}`)).not.toHaveProperty('deletedAt');
  });

  test('lead to what they refer to and what refers to them, and are in the address', async () => {
    const { page, rows } = await opened();
    await rows.first().locator('td').nth(1).click();
    const customer = page.getByRole('region', { name: 'Record 65a000000000000000000001' });
    const { name } = JSON.parse(await customer.getByRole('textbox').inputValue());
    await customer.getByRole('link', { name: 'Contracts' }).click();
    const contract = rows.first();
    await contract.getByRole('link', { name }).waitFor();
    await contract.getByText(/^…\d{8}$/).click();
    await page.getByRole('link', { name: 'Customer', exact: true }).click();
    await customer.waitFor();
    await customer.getByRole('link', { name: 'Events of' }).first().click();
    await rows.first().getByRole('button').click();
    await page.getByRole('link', { name: 'Customer', exact: true }).click();
    await rows.first().getByText(name).waitFor();
    await page.goBack();
    await page.reload();
    await page.getByLabel('UsageEvent', { exact: true }).waitFor();
  });

  test('are searched beyond the first page, and sorted', async () => {
    const { page, rows } = await opened();
    await page.getByRole('radio', { name: 'Measurements' }).check();
    await page.getByText('100 of 6,476').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('200 of 6,476').waitFor();
    const header = page.getByRole('columnheader', { name: 'value' });
    await header.getByRole('button').click();
    await header.getByRole('button').click();
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    const values = await rows.locator('td:nth-child(5)').allInnerTexts();
    await page.getByText('Only the 200 records shown are sorted by value').waitFor();
    const numbers = values.map(Number);
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
    await page.getByLabel('Search').fill('"day":31');
    await page.getByText(/^[1-9]\d\d found among [\d,]+$/).waitFor();
    await rows.nth(99).waitFor();
  });

  test('are all shown again by one button, whatever has filtered them', async () => {
    const { page, rows } = await opened();
    await page.getByLabel('Search').fill('globex');
    await page.getByRole('radio', { name: 'Contracts' }).check();
    await page.getByRole('checkbox', { name: /^Changed/ }).check();
    await page.getByText('No changed contracts with this text.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('36 of 36').waitFor();
    expect(await rows.count()).toBe(36);
  });

  test('are as many as before when somebody comes back', async () => {
    const { page, rows } = await opened();
    await page.getByRole('radio', { name: 'Measurements' }).check();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('200 of 6,476').waitFor();
    await page.evaluate('scrollTo(0, 5000)');
    await waitUntil(page, 'history.state?.scrollY === 5000');
    await openView(page, 'Decisions');
    await rows.first().waitFor({ state: 'detached' });
    // A slow response leaves the view too short for its position longer than the page notes it.
    await page.route('**/__control/measurements?**', async (route) => {
      await setTimeout(500);
      await route.continue();
    });
    await page.goBack();
    await waitUntil(page, 'scrollY === 5000');
    expect(await page.evaluate('history.state.scrollY')).toBe(5000);
    await page.reload();
    await waitUntil(page, 'scrollY === 5000');
    expect(await rows.count()).toBe(200);
  });

  test('are opened where they are seen, also on a narrow screen', async () => {
    const { page, rows } = await openedAt(360, '--dataset', 'large');
    const last = rows.nth(99).getByRole('button');
    const name = await last.innerText();
    await last.click();
    const heading = page.getByRole('heading', { name });
    await heading.waitFor();
    const { y = -1 } = (await heading.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(800);
  });

  test('can be restored on a narrow screen', async () => {
    const { page, stored } = await openedAt(360);
    await page.request.delete(new URL(`/contracts/${CONTRACT}`, page.url()).href, as('app-token'));
    await page.getByRole('radio', { name: 'Contracts' }).check();
    const restore = page.getByRole('button', { name: `Restore ${CONTRACT}` });
    await restore.waitFor();
    const endOf = async (one: typeof restore) => {
      const { x = Number.NaN, width = 0 } = (await one.boundingBox()) ?? {};
      return x + width;
    };
    // What is beyond the end of its cell is cut off.
    const cell = page.getByRole('cell').filter({ has: restore });
    expect(await endOf(restore)).toBeLessThanOrEqual(await endOf(cell));
    await restore.click();
    await restore.waitFor({ state: 'detached' });
    expect(await stored(`/contracts/${CONTRACT}`)).not.toHaveProperty('deletedAt');
  });

  test('are text alone, whatever their names are', async () => {
    const { page, rows } = await opened('--dataset', 'edge-cases');
    await rows.first().waitFor();
    const names = await rows.locator('td:nth-child(1)').allInnerTexts();
    expect(names.some((name) => name.includes('<'))).toBe(true);
    expect(
      await page.locator('table.records tbody *:not(tr, td, button, span, code)').count(),
    ).toBe(0);
  });

  test('of an empty dataset are none', async () => {
    const { page } = await opened('--dataset', 'empty');
    await page.getByText('0 of 0').waitFor();
    await page.getByText('This account has no customers.').waitFor();
    await page.getByLabel('Search').fill('initech');
    await page.getByText('No customers with this text.').waitFor();
  });

  test('follow what clients change, and keep what was typed', async () => {
    const { url, page, stored } = await opened();
    await page.getByRole('radio', { name: 'Contracts' }).check();
    const row = page.locator('tr', { hasText: '…00000001' });
    await row.waitFor();
    await fetch(`${url}/contracts/${CONTRACT}`, { method: 'DELETE', ...as('app-token') });
    await row.getByText('deleted', { exact: true }).waitFor();

    await row.locator('button.open').click();
    await page.getByLabel('Contract', { exact: true }).fill('{ "half": ');
    await page.getByRole('cell', { name: '…00000002' }).click();
    const text = page.getByLabel('Contract', { exact: true });
    await page.getByRole('region', { name: 'Record 65b000000000000000000002' }).waitFor();
    await text.fill(JSON.stringify({ ...JSON.parse(await text.inputValue()), id: 'other' }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Contract /id: expected').getByText('received "other"').waitFor();
    expect(await stored('/contracts/other')).toHaveProperty('status', 404);
    await page.keyboard.press('Escape');
    await row.locator('button.open').click();
    expect(await page.getByLabel('Contract', { exact: true }).inputValue()).toBe('{ "half": ');

    await page.reload();
    expect(await page.getByLabel('Contract', { exact: true }).inputValue()).toBe('{ "half": ');
    const before = await stored(`/contracts/${CONTRACT}`);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    expect(await stored(`/contracts/${CONTRACT}`)).toHaveProperty('status', 404);
    await fetch(`${url}/measurements?limit=1`, as('app-token'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    expect(await stored(`/contracts/${CONTRACT}`)).toEqual(before);
  });

  test('go back to the dataset after an edit, which can be undone', async () => {
    const { page, stored } = await opened();
    await page.getByRole('button', { name: 'Acme Corporation' }).click();
    const text = page.getByLabel('Customer', { exact: true });
    const before = JSON.parse(await text.inputValue());
    expect(await page.getByRole('button', { name: 'Back to the dataset' }).count()).toBe(0);
    await text.fill(JSON.stringify({ ...before, name: 'Initech' }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Back to the dataset' }).click();
    await page.getByRole('button', { name: 'Acme Corporation' }).waitFor();
    expect(await stored(`/customers/${before.id}`)).toEqual(before);
    expect(await stored('/changes')).toMatchObject({ total: 0 });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('button', { name: 'Initech' }).waitFor();
  });

  test('that are deleted or removed are found among those that changed, and restored', async () => {
    const { url, page, stored } = await opened();
    const { records } = Object(await stored('/events'));
    const [far, removed] = [records[200], records[201]];
    const init = { method: 'DELETE', ...as('app-token') };
    await fetch(`${url}/__control/events/${removed.id}`, init);
    await fetch(`${url}/events/delete-by-refs`, {
      method: 'POST',
      body: JSON.stringify({ refs: [far.ref] }),
      headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
    });
    await page.getByRole('radio', { name: 'Events' }).check();
    await page.getByLabel('Changed 2').check();
    const rowOf = ({ id }: { id: string }) => page.locator('tr', { hasText: id.slice(-8) });
    await rowOf(far).getByText('deleted', { exact: true }).waitFor();
    await rowOf(removed).getByText('removed', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Restore ${far.id}` }).click();
    await rowOf(far).waitFor({ state: 'detached' });
    expect(await stored(`/events/${far.id}`)).not.toHaveProperty('deletedAt');
    await rowOf(removed).locator('td').last().click();
    await page.getByRole('button', { name: 'Back to the dataset' }).click();
    await rowOf(removed).waitFor({ state: 'detached' });
    expect(await stored(`/events/${removed.id}`)).toEqual(removed);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await rowOf(removed).getByText('removed', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Restore ${removed.id}` }).click();
    await rowOf(removed).waitFor({ state: 'detached' });
    expect(await stored(`/events/${removed.id}`)).toEqual(removed);
  });

  test('have their names before their ids, and are added from a template without both', async () => {
    const { page } = await opened();
    for (const [collection, headings, schema] of [
      ['Customers', ['name', 'id'], 'Customer'],
      ['Contracts', ['name', 'id'], 'Contract'],
      ['Measurements', ['customer', 'id'], 'Measurement'],
      ['Events', ['name', 'id'], 'UsageEvent'],
    ] as const) {
      await page.getByRole('radio', { name: collection }).check();
      await page.getByRole('table', { name: collection }).waitFor();
      const found = await page.getByRole('columnheader').allInnerTexts();
      expect([collection, found.slice(0, 2)]).toEqual([collection, headings]);
      await page.getByRole('button', { name: 'New…' }).click();
      const template = await page.getByLabel(schema, { exact: true }).inputValue();
      const naming = [...template.matchAll(/"(name|aliases|ref|\w*[iI]d)": (.*?),?$/gm)];
      expect(naming.length).toBeGreaterThan(1);
      expect(naming.filter(([, , value]) => !/^(?:""|\[\])$/.test(String(value)))).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

  test('are added from the members of their schema', async () => {
    const { page, stored } = await opened('--dataset', 'empty');
    await page.getByRole('button', { name: 'New…' }).click();
    const text = page.getByLabel('Customer', { exact: true });
    const template = JSON.parse(await text.inputValue());
    expect(template).toHaveProperty('name');
    await text.fill(JSON.stringify({ ...template, name: 'Initech' }));
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('tr', { hasText: 'Initech' }).getByText('added').waitFor();
    expect(await stored('/customers')).toMatchObject({ records: [{ name: 'Initech' }] });
  });

  test('lead to no other record while they name none', async () => {
    const { page } = await opened();
    await page.getByRole('radio', { name: 'Contracts' }).check();
    await page.getByRole('button', { name: 'New…' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const detail = page.locator('.detail');
    await detail.getByRole('button', { name: 'Save' }).waitFor();
    expect(await detail.getByRole('link').allInnerTexts()).toEqual([]);
  });
});
