import { useMockServer } from 'usage-billing-mock/jest';

const mock = useMockServer();

test('a contract is deleted', async () => {
  await fetch(`${mock.url}/contracts/65b000000000000000000001`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${mock.token}` },
  });
  expect(mock).toHaveReceived('deleteContract', { contractId: '65b000000000000000000001' });
});
