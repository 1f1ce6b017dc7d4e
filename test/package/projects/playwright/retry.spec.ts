import { expect, test } from 'usage-billing-mock/playwright';

test('a client tries again when its response is lost', async ({ billing }) => {
  const { url, token, account } = billing;
  await account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
  const remove = () =>
    fetch(`${url}/contracts/65b000000000000000000001`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}` },
    });
  const response = await remove().catch(remove);
  expect(response.status).toBe(404);
  await expect(response).toMatchContract('deleteContract');
  await expect(billing).toHaveReceivedTimes('deleteContract', 2);
});
