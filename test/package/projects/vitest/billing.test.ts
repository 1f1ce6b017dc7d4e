import { useMockServer } from 'usage-billing-mock/vitest';
import { expect, test } from 'vitest';

const mock = useMockServer();

test('a client retries when the response is lost', async () => {
  mock.account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
  const remove = () =>
    fetch(`${mock.url}/contracts/65b000000000000000000001`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${mock.token}` },
    });
  const response = await remove().catch(remove);
  expect(response.status).toBe(404);
  await expect(response).toMatchContract('deleteContract');
  expect(mock).toHaveReceivedTimes('deleteContract', 2);
});

test('and the next test knows nothing of it', async () => {
  expect(mock).not.toHaveReceived('deleteContract');
});
