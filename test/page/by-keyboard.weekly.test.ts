import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';

const CONTRACT = '65b000000000000000000001';
const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
/** More stops of the Tab key than a view has. */
const MANY_STOPS = 200;

/** The words of what has the focus. */
const FOCUSED = `(() => {
  const { ariaLabel, labels, textContent } = document.activeElement;
  return ariaLabel ?? (labels?.[0]?.textContent || textContent).trim();
})()`;

/** Goes on by the Tab key to what has these words. */
async function tabTo(page: Page, words: string): Promise<void> {
  for (let stops = 0; stops < MANY_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate<string>(FOCUSED)).startsWith(words)) return;
  }
  throw new Error(`The Tab key does not lead to '${words}'.`);
}

describeInChromium('by the keyboard alone', () => {
  const start = useCommands();
  const open = usePages();

  async function opened() {
    const { url } = await start();
    const call = (path: string, method = 'GET', body?: object) =>
      fetch(url + path, {
        method,
        headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'DELETE /contracts/…00000001' }).waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const enter = async (words: string) => {
      await tabTo(page, words);
      await press('Enter');
    };
    const deleteStatus = async () => (await call(`/contracts/${CONTRACT}`, 'DELETE')).status;
    return { url, call, page, press, enter, deleteStatus };
  }

  test('the view that a link opens has the focus', async () => {
    const { page, press, enter, deleteStatus } = await opened();
    expect(await deleteStatus()).toBe(404);
    await page.getByText('was already deleted').waitFor();
    await enter('DELETE /contracts/…00000001');
    await page.getByRole('region', { name: 'Request 2' }).waitFor();
    await enter('repeat-delete');
    await page.getByRole('group', { name: /second delete/ }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await press('Tab');
    expect(await page.getByLabel('Search').evaluate((field) => field.matches(':focus'))).toBe(true);
  });

  test('an account is opened by its whole token, which its name hides', async () => {
    const { url, page, press } = await opened();
    await fetch(`${url}/customers/c9`, as('another-token'));
    await page.getByLabel('Follow').uncheck();
    await page.locator('header button.chosen').click();
    await page.keyboard.type('another-token');
    await page.getByRole('option', { name: /^anot…en#2/ }).waitFor();
    await press('Enter');
    await page.getByRole('button', { name: 'GET /customers/c9' }).waitFor();
  });

  test('an account is chosen by the arrow keys, which stop at both ends of the list', async () => {
    const { url, page, press } = await opened();
    await page.getByLabel('Follow').uncheck();
    await fetch(`${url}/customers/c9`, as('another-token'));
    await page.locator('header button.chosen').click();
    await page.getByRole('option', { name: /^anot…en#2/ }).waitFor();
    await press('ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter');
    await page.getByRole('button', { name: 'GET /customers/c9' }).waitFor();
    await page.locator('header button.chosen').click();
    await press('ArrowDown', 'ArrowDown', 'Enter');
    await page.getByRole('button', { name: 'DELETE /contracts/…00000001' }).waitFor();
  });

  test('a request is opened and closed, and the focus is on its row again', async () => {
    const { page, press } = await opened();
    await press('j', 'Enter');
    const detail = page.getByRole('region', { name: 'Request 1' });
    await detail.waitFor();
    await press('Escape');
    await detail.waitFor({ state: 'detached' });
    await page.locator('table.requests button:focus').waitFor();
    await press('?');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
  });

  test('the failed test and its cause are found', async () => {
    const { call, page, enter, deleteStatus } = await opened();
    expect(await deleteStatus()).toBe(404);
    await fetch(new URL('/measurements', page.url()), as('another-token'));
    await call('/__control/account/test', 'PUT', {
      outcome: 'failed',
      message: 'expected 404 to be 200',
    });
    await page.getByRole('button', { name: '1 test failed' }).waitFor();
    await enter('1 test failed');
    const failed = page.getByRole('region', { name: 'Failed test' });
    await failed.getByText('expected 404 to be 200').waitFor();
    await enter('DELETE /contracts/');
    await page
      .getByRole('region', { name: 'Request 2' })
      .getByText("Here the decision 'repeat-delete' is 'not-found'")
      .waitFor();
  });

  test('a reset and an import are undone after further requests', async () => {
    const { page, press, enter, deleteStatus } = await opened();
    await enter('Behaviour');
    await enter('Reset the account');
    await page.getByText('Reset app…en#1.').waitFor();
    expect(await deleteStatus()).toBe(200);
    await page.getByText('Since then: 1 successful delete.').waitFor();
    await press('u', 'Enter');
    await page.getByText('Undone: Reset app…en#1.').waitFor();
    expect(await deleteStatus()).toBe(404);

    const records = { customers: [], contracts: [], measurements: [], events: [] };
    const file = writeFixture(JSON.stringify(records), 'state.json');
    const choosing = page.waitForEvent('filechooser');
    await tabTo(page, 'Import dataset…');
    await press('Enter');
    await (await choosing).setFiles(file);
    await page.getByText('Imported state.json into app…en#1.').waitFor();
    expect(await deleteStatus()).toBe(404);
    const customers = page.getByText('Customers', { exact: true }).locator('..');
    await customers.getByText('0', { exact: true }).waitFor();
    await press('u', 'Enter');
    await page.getByText('Undone: Imported state.json').waitFor();
    await customers.getByText('0', { exact: true }).waitFor({ state: 'detached' });
  });

  test('a removal is undone after further requests', async () => {
    const { call, page, press, enter } = await opened();
    await press('4');
    const row = page.getByRole('button', { name: 'Globex GmbH' });
    await row.waitFor();
    await press('j', 'j', 'Enter');
    await page.getByRole('region', { name: 'Record 65a000000000000000000002' }).waitFor();
    await enter('Remove');
    await row.waitFor({ state: 'detached' });
    const status = async () => (await call('/customers/65a000000000000000000002')).status;
    expect(await status()).toBe(404);
    await page.locator('main:focus').waitFor();
    await enter('Undo');
    await row.waitFor();
    expect(await status()).toBe(200);
  });
});
