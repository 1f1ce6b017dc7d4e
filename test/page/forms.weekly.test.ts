import type { Locator, Page } from 'playwright-core';
import { openView, usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** What is said at the field that has the focus because its value is wrong. */
async function mistakeIn(page: Page): Promise<string> {
  const field = page.locator('[aria-invalid="true"]:focus');
  await field.waitFor();
  return field.evaluate((one) => {
    const id = one.getAttribute('aria-describedby') ?? '';
    return one.ownerDocument.getElementById(id)?.textContent ?? '';
  });
}

const panel = (page: Page, title: string) =>
  page.locator('section.panel', { has: page.getByRole('heading', { name: title, exact: true }) });

/** A view, what is typed there and where it is submitted, and what is then said at the field. */
type Row = readonly [
  about: string,
  view: string,
  submit: (page: Page) => Promise<void>,
  said: RegExp,
];

async function fill(form: Locator, label: string, text: string, button: string): Promise<void> {
  await form.getByLabel(label, { exact: true }).fill(text);
  await form.getByRole('button', { name: button, exact: true }).click();
}

const BODY = 'Body: JSON, or text with its Content-Type';
const HEADERS = 'Headers, one a line';

const ROWS: readonly Row[] = [
  [
    'an instant that there is not',
    'Behaviour',
    (page) => fill(panel(page, 'Clock'), 'Freeze at', '2026-02-30', 'Set'),
    /^Freeze at: expected a day or an instant, such as .*; received "2026-02-30"\.$/,
  ],
  [
    'no instant',
    'Behaviour',
    (page) => fill(panel(page, 'Clock'), 'Freeze at', '', 'Set'),
    /^Freeze at: expected a day or an instant, such as .*; received nothing\.$/,
  ],
  [
    'a range upside down',
    'Behaviour',
    (page) =>
      fill(panel(page, 'Latency'), 'Milliseconds, or a range', '200..20', 'Delay responses'),
    /^Milliseconds, or a range: expected .* lower number first; received "200\.\.20"\./,
  ],
  [
    'a status that is no error',
    'Behaviour',
    (page) => fill(panel(page, 'Faults'), 'Another status', '302', 'Add'),
    /^Another status: expected a status from 400 to 599; received "302"\.$/,
  ],
  [
    'a status of a response beyond the largest',
    'Behaviour',
    async (page) => {
      await page.getByText('Respond with…').click();
      await fill(panel(page, 'Faults'), 'Status', '700', 'Add this response');
    },
    /^Status: expected at most 599; received 700\./,
  ],
  [
    'a path without a slash',
    'Behaviour',
    (page) => fill(panel(page, 'Stubs'), 'Path', 'me', 'Add stub'),
    /^Path: expected a path such as \/login or \/invoices\/\{id\}; received "me"\./,
  ],
  [
    'a header without a colon',
    'Behaviour',
    async (page) => {
      await panel(page, 'Stubs').getByLabel('Path', { exact: true }).fill('/me');
      await fill(panel(page, 'Stubs'), HEADERS, 'Location', 'Add stub');
    },
    /^Headers, one a line: expected a name, a colon and a value; received "Location"\.$/,
  ],
  [
    'a body that is no JSON',
    'Behaviour',
    async (page) => {
      await panel(page, 'Stubs').getByLabel(HEADERS).fill('');
      await fill(panel(page, 'Stubs'), BODY, 'hello', 'Add stub');
    },
    /^Body: .*: this cannot be read as JSON: .* give a Content-Type such as text\/plain/,
  ],
  [
    'a placeholder within the body',
    'Behaviour',
    async (page) => {
      await fill(panel(page, 'Stubs'), BODY, '{ "a": "{{path.id}}" }', 'Add stub');
    },
    /^Body: .* \/a: expected no \{\{path\.NAME\}\}, because the path has no parameter/,
  ],
  [
    'a file that is no JSON',
    'Behaviour',
    (page) => page.getByLabel('Import dataset…').setInputFiles(writeFixture('{', 'state.json')),
    /^Import dataset…: this cannot be read as JSON: /,
  ],
  [
    'a file with a wrong record',
    'Behaviour',
    (page) =>
      page
        .getByLabel('Import dataset…')
        .setInputFiles(writeFixture('{"customers":[{"id":5}]}', 'state.json')),
    /^Import dataset… \/customers\/0\/id: expected .*; received 5\./,
  ],
  [
    'a member of a record',
    'Records',
    async (page) => {
      await page.getByRole('button', { name: 'Acme Corporation' }).click();
      await fill(page.locator('.detail'), 'Customer', '{ "name": 7 }', 'Save');
    },
    /^Customer \/name: expected a string; received 7\.$/,
  ],
];

describeInChromium('the forms of the page', () => {
  const start = useCommands();
  const open = usePages();

  async function opened(view: string) {
    const { url } = await start();
    const call = (path: string, init: RequestInit = {}) =>
      fetch(url + path, { ...as('app-token'), ...init });
    await call('/measurements?limit=1');
    const page = await open(`${url}/__control/ui`);
    await openView(page, view);
    return { url, call, page };
  }

  test.each(['Behaviour', 'Records'])(
    'say at the field, by its label, what is wrong: %s',
    async (view) => {
      const { page } = await opened(view);
      for (const [about, of, submit, said] of ROWS) {
        if (of !== view) continue;
        await submit(page);
        expect([about, await mistakeIn(page)]).toEqual([about, expect.stringMatching(said)]);
        await page.reload();
      }
    },
  );

  test('say so no longer once the value is right', async () => {
    const { page } = await opened('Behaviour');
    const latency = panel(page, 'Latency');
    await fill(latency, 'Milliseconds, or a range', 'fast', 'Delay responses');
    await mistakeIn(page);
    await fill(latency, 'Milliseconds, or a range', '5', 'Delay responses');
    await latency.getByText('Responses are delayed by 5 ms.').waitFor();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
  });

  test('freeze the clock at a day, as --now does', async () => {
    const { page, call } = await opened('Behaviour');
    await fill(panel(page, 'Clock'), 'Freeze at', '2026-03-31', 'Set');
    await page.getByText('Clock frozen at 2026-03-31T00:00:00.000Z').waitFor();
    expect(await (await call('/__control/clock')).json()).toMatchObject({
      now: '2026-03-31T00:00:00.000Z',
      isFrozen: true,
    });
  });

  test('make a stub of a status, headers and a text', async () => {
    const { page, call } = await opened('Behaviour');
    const stubs = panel(page, 'Stubs');
    await stubs.getByLabel('Method').selectOption('POST');
    await stubs.getByLabel('Path', { exact: true }).fill('/invoices/{id}');
    await stubs.getByLabel('Status', { exact: true }).fill('202');
    await stubs.getByLabel(HEADERS).fill('Content-Type: text/plain\nX-Invoice: {{path.id}}\n');
    await fill(stubs, BODY, 'accepted', 'Add stub');
    await stubs.getByRole('button', { name: 'Remove stub 1' }).waitFor();
    const response = await call('/invoices/i1', { method: 'POST' });
    expect([response.status, response.headers.get('x-invoice')]).toEqual([202, 'i1']);
    expect(await response.text()).toBe('accepted');
  });

  test('make a fault that responds once, in a table of faults', async () => {
    const { page, call } = await opened('Behaviour');
    const faults = panel(page, 'Faults');
    await page.getByText('Respond with…').click();
    await faults.getByLabel('Status', { exact: true }).fill('418');
    await faults.getByLabel(HEADERS).fill('X-Pot: tea');
    await fill(faults, BODY, '{ "short": true }', 'Add this response');
    const row = faults.getByRole('table', { name: 'Faults' }).getByRole('row').nth(1);
    await row.getByRole('cell', { name: '0 of 1', exact: true }).waitFor();
    const response = await call('/measurements');
    expect([response.status, response.headers.get('x-pot')]).toEqual([418, 'tea']);
    expect(await response.json()).toEqual({ short: true });
    expect((await call('/measurements')).status).toBe(200);
    await row.getByRole('cell', { name: '1 of 1', exact: true }).waitFor();
    await row.getByRole('button', { name: 'Remove fault 1' }).click();
    await faults.getByText('No faults').waitFor();
  });

  test('take snapshots, with a time, that replace no other and can be removed', async () => {
    const { page, call } = await opened('Behaviour');
    const snapshots = panel(page, 'Snapshots');
    await fill(snapshots, 'Name', 'before', 'Take snapshot');
    await snapshots.getByText(/^before taken (?:now|\d+s ago)$/).waitFor();
    await call('/contracts/65b000000000000000000001', { method: 'DELETE' });
    await fill(snapshots, 'Name', 'before', 'Take snapshot');
    expect(await mistakeIn(page)).toBe(
      "Name: a snapshot is already called 'before'. Give another name, or remove that one first.",
    );
    await snapshots.getByRole('button', { name: 'Restore before' }).click();
    await page.getByText('Restored the snapshot before of').waitFor();
    const deleted = await call('/contracts/65b000000000000000000001', { method: 'DELETE' });
    expect(deleted.status).toBe(200);
    await snapshots.getByRole('button', { name: 'Remove snapshot before' }).click();
    await fill(snapshots, 'Name', 'before', 'Take snapshot');
    await snapshots.getByRole('button', { name: 'Restore before' }).waitFor();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
  });
});
