import { useMockServer } from 'usage-billing-mock/vitest';
import { expect, test } from 'vitest';

const mock = useMockServer();

test('a client tries again when its answer is lost', async () => {
  await mock.account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
  const remove = () =>
    fetch(`${mock.url}/contracts/65b000000000000000000001`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${mock.token}` },
    });
  const answer = await remove().catch(remove);
  expect(answer.status).toBe(404);
  await expect(answer).toMatchContract('deleteContract');
  await expect(mock).toHaveReceivedTimes('deleteContract', 2);
});

test('and the next test knows nothing of it', async () => {
  await expect(mock).not.toHaveReceived('deleteContract');
});
