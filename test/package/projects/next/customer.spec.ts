import { expect, test } from 'usage-billing-mock/playwright';

test('a server component acts on the account of the test', async ({ page, billing }) => {
  await billing.account.customers.put({ id: 'c1', name: 'Initech' });
  await page.goto('/customers/c1');
  await expect(page.getByRole('heading')).toHaveText('Initech');
  await expect(billing).toHaveReceived('getCustomer', { customerId: 'c1' });
});

test('another test has an account of its own', async ({ page }) => {
  await page.goto('/customers/c1');
  await expect(page.getByRole('heading')).toHaveText('nobody');
});
