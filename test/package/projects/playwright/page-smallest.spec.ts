import { expect, test } from 'usage-billing-mock/playwright';

test.use({ billingOptions: { intercept: 'https://api.example.com/**' } });

test('the page shows its customer', async ({ page, billing }) => {
  await billing.account.customers.put({ id: 'c1', name: 'Initech' });
  await page.setContent(`<body><script type="module">
    const headers = { Authorization: 'Bearer token-of-the-page' };
    const response = await fetch('https://api.example.com/customers/c1', { headers });
    document.body.textContent = (await response.json()).customer.name;
  </script>`);
  await expect(page.locator('body')).toHaveText('Initech');
  await expect(billing).toHaveReceived('getCustomer', { customerId: 'c1' });
});
