import { expect, test } from 'usage-billing-mock/playwright';

test.beforeEach(async ({ page }) => {
  const body = `<h1></h1><script type="module">
    const headers = { Authorization: 'Bearer token-of-the-page' };
    const response = await fetch('https://api.example.com/customers/c1', { headers }).catch(() => undefined);
    const found = response?.ok ? (await response.json()).customer.name : 'Try again later';
    document.querySelector('h1').textContent = found;
  </script>`;
  await page.route('http://app.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body }),
  );
});

test('the page shows a customer', async ({ page, billing }) => {
  await billing.account.customers.put({ id: 'c1', name: 'Initech' });
  await page.goto('http://app.test/');
  await expect(page.getByRole('heading')).toHaveText('Initech');
  await expect(billing).toHaveReceivedTimes('getCustomer', 1, { customerId: 'c1' });
});

test('the page survives a lost response', async ({ page, billing }) => {
  await billing.account.faults.add({ operationId: 'getCustomer', kind: 'reset' });
  await page.goto('http://app.test/');
  await expect(page.getByRole('heading')).toHaveText('Try again later');
});

test('the page survives a response that no service sends', async ({ page }) => {
  await page.route('https://api.example.com/customers/*', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await page.goto('http://app.test/');
  await expect(page.getByRole('heading')).toHaveText('Try again later');
});
