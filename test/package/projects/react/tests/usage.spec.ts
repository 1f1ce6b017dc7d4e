import type { Page } from '@playwright/test';
import { expect, test } from './billing-in-tab.ts';

async function submit(page: Page, label: string, entered: string) {
  const form = page.locator('form').filter({ has: page.getByLabel(label) });
  await form.getByLabel(label).fill(entered);
  await form.getByRole('button').click();
}

test('measurements are shown by page', async ({ page, billing }) => {
  const measurements = [0, 1, 2, 3, 4, 5, 6].map((value) => ({ id: `m${value}`, value }));
  await billing.account.importState({ measurements });
  await page.goto('/');
  await expect(page.getByRole('caption')).toHaveText('7 measurements');
  await expect(page.getByRole('row')).toHaveText(['m0: 0', 'm1: 1', 'm2: 2', 'm3: 3', 'm4: 4']);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('row')).toHaveText(['m5: 5', 'm6: 6']);
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByRole('row')).toHaveCount(5);
});

test('a customer is found once the service answers again', async ({ page, billing }) => {
  await billing.account.customers.put({ id: 'c1', name: 'Initech', address: { city: 'Austin' } });
  await billing.account.faults.add({
    operationId: 'getCustomerByName',
    kind: 'status',
    status: 503,
  });
  await page.goto('/');
  await submit(page, 'Customer', 'Initech');
  await expect(page.getByRole('alert')).toContainText('503');
  await submit(page, 'Customer', 'Initech');
  await expect(page.getByRole('status')).toHaveText('Initech, Austin');
  await expect(billing).toHaveReceivedTimes('getCustomerByName', 2);
});

test('a listing whose response is lost is an error', async ({ page, billing }) => {
  await billing.account.faults.add({
    operationId: 'listMeasurements',
    kind: 'reset',
    times: 'always',
  });
  await page.goto('/');
  await expect(page.getByRole('alert')).toHaveText('Failed to fetch');
});

test('a deleted event stays deleted after a reload', async ({ page, billing }) => {
  await billing.account.events.put({ id: 'e1', ref: 'first' });
  await page.goto('/');
  await submit(page, 'Events', 'first, unknown');
  await expect(page.getByRole('status')).toHaveText('1 deleted');
  await page.reload();
  await submit(page, 'Events', 'first, unknown');
  await expect(page.getByRole('status')).toHaveText('0 deleted');
  expect(await billing.account.events.get('e1')).toHaveProperty('deletedAt');
});

for (const city of ['Austin', 'Boston']) {
  test(`the page of ${city} meets no other`, async ({ page, billing }) => {
    await billing.account.customers.put({ id: 'c1', name: 'Initech', address: { city } });
    await page.goto('/');
    await submit(page, 'Customer', 'Initech');
    await expect(page.getByRole('status')).toHaveText(`Initech, ${city}`);
    await submit(page, 'Events', 'acme-2026-03-31-001');
    await expect(page.getByRole('status').last()).toHaveText('1 deleted');
    await expect(billing).toHaveReceivedTimes('deleteEventsByRefs', 1);
    const isAccountOfPage = await billing.server.closeAccount('my-token');
    expect(isAccountOfPage).toBe(billing.token === 'my-token');
  });
}
