import { expect, test } from 'usage-billing-mock/playwright';
import { app } from './app.js';

test.use({ billingOptions: { app: 'http://localhost:3917' } });
test.describe.configure({ mode: 'default' });
test.beforeAll(() => new Promise<void>((resolve) => app.listen(3917, resolve)));
test.afterAll(() => void app.close());

test('a page that the server renders', async ({ page, billing }) => {
  await billing.account.customers.put({ id: 'c1', name: 'Initech' });
  await page.goto('http://localhost:3917/customer');
  await expect(page.getByRole('heading')).toHaveText('Initech');
});

test('a request of the test itself', async ({ request, billing }) => {
  const response = await request.get('http://localhost:3917/customer', {
    headers: billing.headers,
  });
  expect(await response.text()).toContain('nobody');
});
