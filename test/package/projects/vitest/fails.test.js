import { useMockServer } from 'usage-billing-mock/vitest';
import { expect, test } from 'vitest';

const mock = useMockServer();

test('an expectation of its own is wrong', async () => {
  mock.account.faults.add({ operationId: 'deleteContract', kind: 'reset' });
  const init = { headers: { Authorization: `Bearer ${mock.token}` } };
  const response = await mock.fetch('/customers/nobody', init);
  expect(response.status).toBe(200);
});
