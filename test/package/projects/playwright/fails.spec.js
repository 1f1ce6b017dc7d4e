import { expect, test } from 'usage-billing-mock/playwright';

test('an expectation of its own is wrong', async ({ billing }) => {
  await billing.account.faults.add({ operationId: 'deleteContract', kind: 'reset' });
  const headers = { Authorization: `Bearer ${billing.token}` };
  await fetch(`${billing.url}/customers/nobody`, { headers });
  expect(1).toBe(2);
});
