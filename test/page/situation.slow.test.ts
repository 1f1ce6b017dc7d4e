import { openView, usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const CONTRACT = '65b000000000000000000001';
const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describeInChromium('the situation on the page', () => {
  const start = useCommands();
  const open = usePages();

  async function opened(view: string) {
    const { url } = await start();
    const call = (path: string, method = 'GET') =>
      fetch(url + path, { method, ...as('app-token') });
    await call('/measurements?limit=1');
    const page = await open(`${url}/__control/ui`);
    await openView(page, view);
    const notDefault = page.getByRole('region', { name: 'Not the default' });
    return { url, call, page, notDefault };
  }

  test('has faults that the next request meets, until one button ends them', async () => {
    const { page, call, notDefault } = await opened('Situation');
    await page.getByRole('button', { name: '429' }).click();
    await notDefault.getByText('Fault 429').waitFor();
    const { status, headers } = await call('/measurements');
    expect([status, headers.get('retry-after')]).toEqual([429, '2']);
    await page.getByRole('button', { name: 'End Fault 429' }).click();
    await notDefault.waitFor({ state: 'detached' });
    expect((await call('/measurements')).status).toBe(200);
  });

  test.each([
    ['500', async (answer: Promise<Response>) => expect((await answer).status).toBe(500)],
    ['Lost answer', (answer: Promise<Response>) => expect(answer).rejects.toThrow('fetch failed')],
    [
      'Malformed',
      async (answer: Promise<Response>) => expect((await answer).json()).rejects.toThrow('JSON'),
    ],
  ])('breaks answers by the preset %s', async (preset, expectBroken) => {
    const { page, call, notDefault } = await opened('Situation');
    await page.getByRole('button', { name: preset }).click();
    await notDefault.waitFor();
    await expectBroken(call('/measurements?limit=1'));
  });

  test('is wholly the default again after one button', async () => {
    const { url, page, call, notDefault } = await opened('Situation');
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    await notDefault.getByText('Clock frozen at').waitFor();
    await page.getByRole('button', { name: 'Delay answers' }).click();
    await notDefault.getByText('Latency 20–200 ms').waitFor();
    await page.getByLabel('What does a second delete of a contract return?').selectOption('gone');
    await notDefault.getByText('repeat-delete: gone').waitFor();
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    expect((await call(`/contracts/${CONTRACT}`, 'DELETE')).status).toBe(410);
    await openView(page, 'Records');
    await page.getByRole('button', { name: 'Back to the defaults' }).click();
    await notDefault.waitFor({ state: 'detached' });
    const control = async (path: string): Promise<unknown> =>
      (await fetch(`${url}/__control${path}`, as('app-token'))).json();
    expect(await control('/clock')).toMatchObject({ isFrozen: false });
    expect(await control('/latency')).toEqual({ minMs: 0, maxMs: 0 });
    expect(await control('/decisions')).toMatchObject({ 'repeat-delete': 'not-found' });
  });

  test('says why a value is refused', async () => {
    const { page } = await opened('Situation');
    await page.getByLabel('Milliseconds, or a range').fill('200..20');
    await page.getByRole('button', { name: 'Delay answers' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: '200..20' })
      .or(page.getByRole('alert').filter({ hasText: 'the lower one first' }))
      .first()
      .waitFor();
  });

  test('is saved by a snapshot, and brought back by it', async () => {
    const { page, call } = await opened('Situation');
    await page.getByRole('textbox', { name: 'Name' }).fill('before');
    await page.getByRole('button', { name: 'Take' }).click();
    await page.getByRole('button', { name: 'Restore before' }).waitFor();
    await call(`/contracts/${CONTRACT}`, 'DELETE');
    await page.getByRole('button', { name: 'Restore before' }).click();
    await page.getByText('Changed records').waitFor();
    await page.getByText('Changed records').locator('..').getByText('0', { exact: true }).waitFor();
    expect((await call(`/contracts/${CONTRACT}`, 'DELETE')).status).toBe(200);
  });

  test('of a decision is followed by the reference, where an operation is tried', async () => {
    const { page, notDefault } = await opened('Situation');
    await page.getByLabel('What does a second delete of a contract return?').selectOption('gone');
    await notDefault.getByText('repeat-delete: gone').waitFor();
    await openView(page, 'API');
    const operation = page.locator('details.operation', { hasText: '/contracts/{contractId}' });
    await operation.locator('summary').first().click();
    await operation.getByText('Answer 410').waitFor();
    await operation.getByLabel('Token').fill('app-token');
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByText(/^200 OK in/).waitFor();
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByText(/^410 Gone in/).waitFor();
  });
});
