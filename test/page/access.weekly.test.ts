import axe from 'axe-core';
import { openAccounts, openView, usePages, waitUntil } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const VIEWS = ['Requests', 'Behaviour', 'Decisions', 'Records'];
const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** Marks the account as that of a failed test. */
async function fail(url: string): Promise<void> {
  await end(url, 'app-token', 'failed', `expected 404 to be 200\n${'x'.repeat(1_500)}`);
}

async function end(url: string, token: string, outcome: string, message?: string): Promise<void> {
  const headers = { ...as(token).headers, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ outcome, message, title: `reads, ${outcome}` });
  await fetch(`${url}/__control/account/test`, { method: 'PUT', headers, body });
}

/** Closes the account of a test that passed after one request. */
async function pass(url: string): Promise<void> {
  await fetch(`${url}/customers/nobody`, as('closed-token'));
  await end(url, 'closed-token', 'passed');
  await fetch(`${url}/__control/account`, { method: 'DELETE', ...as('closed-token') });
}

describeInChromium('the page', () => {
  const start = useCommands();
  const open = usePages();

  test.each([
    ['light', 360],
    ['light', 1024],
    ['light', 1440],
    ['dark', 360],
    ['dark', 1024],
    ['dark', 1440],
  ] as const)('has nothing that axe finds, in %s and %d px wide', async (colorScheme, width) => {
    const { url } = await start();
    await fetch(`${url}/customers/nobody`, as('app-token'));
    await pass(url);
    await fail(url);
    const page = await open(`${url}/__control/ui`, { colorScheme, width });
    await page.getByRole('button', { name: '1 test failed' }).waitFor();
    for (const view of VIEWS) {
      await openView(page, view);
      await openOne(view);
      await expectNothing(view);
    }
    const options = await openAccounts(page);
    await page.keyboard.type('clos');
    await options.getByText('passed · closed').click();
    for (const view of VIEWS) {
      await openView(page, view);
      if (view === 'Requests') await openOne(view);
      await expectNothing(`${view} of a closed account`);
    }
    await openAccounts(page);
    await expectNothing('the list of accounts');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Help', exact: true }).click();
    await expectNothing('the help');

    async function expectNothing(view: string) {
      await page.evaluate(axe.source);
      const violations = (await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
      )) as unknown[];
      expect([view, violations]).toEqual([view, []]);
    }

    /** Opens what the view shows only on request. */
    async function openOne(view: string) {
      const opening: Readonly<Record<string, () => Promise<void>>> = {
        Requests: () => page.getByRole('button', { name: 'GET /customers/nobody' }).click(),
        Behaviour: () => page.getByRole('button', { name: '500', exact: true }).click(),
        Records: () => page.getByRole('button', { name: 'Acme Corporation' }).click(),
      };
      await opening[view]?.();
    }
  });

  test('shows no backtick of the documents, and renders what they enclose as code', async () => {
    const { url } = await start();
    await fetch(`${url}/measurements?limit=x`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    for (const view of VIEWS) {
      await openView(page, view);
      await page.locator('main h2').first().waitFor({ state: 'attached' });
      const row = page.locator('tr button.open').first();
      if (['Requests', 'Records'].includes(view)) await row.click();
      if (view === 'Decisions')
        await page.locator('legend code').first().waitFor({ state: 'attached' });
      if (view === 'Records') await page.locator('details > summary').first().click();
      const marked =
        await page.evaluate(`[...document.querySelectorAll('body *')].flatMap((one) => [
        ...[...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
        ...['title', 'aria-label', 'placeholder'].map((name) => one.getAttribute(name) ?? ''),
      ]).filter((text) => text.includes('\`'))`);
      expect([view, marked]).toEqual([view, []]);
    }
  });

  test('has responses that the keyboard scrolls', async () => {
    const { url } = await start();
    await fetch(`${url}/measurements?limit=50`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await page.getByRole('button', { name: 'GET /measurements' }).click();
    const body = page.getByRole('group', { name: 'Body of the response' });
    await body.focus();
    await page.keyboard.press('End');
    await waitUntil(page, 'document.activeElement.scrollTop > 100');
    expect(await body.evaluate((one) => one.matches(':focus'))).toBe(true);
  });

  test('shows what can be undone on a narrow screen, wherever it was done', async () => {
    const { url } = await start();
    await fetch(`${url}/customers/nobody`, as('app-token'));
    const page = await open(`${url}/__control/ui#behaviour`, { width: 390 });
    await page.getByRole('button', { name: 'Reset the account' }).click();
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await undo.waitFor();
    const { y = -1 } = (await undo.boundingBox()) ?? {};
    expect([y > 0, y < (page.viewportSize()?.height ?? 0)]).toEqual([true, true]);
  });

  test('fits into narrow and wide screens', async () => {
    const { url } = await start(['--dataset', 'edge-cases']);
    await fetch(`${url}/customers/nobody`, as('app-token'));
    const headers = { ...as('app-token').headers, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ kind: 'hold', operationId: 'deleteEventsByRefs' });
    await fetch(`${url}/__control/faults`, { method: 'POST', headers, body });
    await fail(url);
    const page = await open(`${url}/__control/ui`);
    await page.getByText('Hold on deleteEventsByRefs, next 1 (not fired yet)').waitFor();
    for (const view of VIEWS) {
      await openView(page, view);
      await page.getByRole('link', { name: view, exact: true }).waitFor();
      await page.locator('main h2, main .empty').first().waitFor({ state: 'attached' });
      for (const width of [360, 768, 1100, 1600]) {
        await page.setViewportSize({ width, height: 800 });
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([view, width, overflow]).toEqual([view, width, 0]);
      }
    }
  });
});
