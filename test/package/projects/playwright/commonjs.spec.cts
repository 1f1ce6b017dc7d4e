import playwright = require('usage-billing-mock/playwright');

const { expect, test } = playwright;

test('the kit is required', async ({ billing }) => {
  const headers = { Authorization: `Bearer ${billing.token}` };
  const response = await fetch(`${billing.url}/customers/65a000000000000000000001`, { headers });
  await expect(response).toMatchContract('getCustomer');
  await expect(billing).toHaveReceived('getCustomer', { customerId: '65a000000000000000000001' });
});
