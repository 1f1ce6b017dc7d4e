import { useMockServer } from 'usage-billing-mock/jest';

const mock = useMockServer();

test('a contract is deleted', async () => {
  const response = await fetch(`${mock.url}/contracts/65b000000000000000000001`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${mock.token}` },
  });
  await expect(response).toMatchContract('deleteContract');
  expect(mock).toHaveReceived('deleteContract', { contractId: '65b000000000000000000001' });
});

test('a contract that another test has deleted is still there', async () => {
  const contract = mock.account.contracts.get('65b000000000000000000001');
  expect(contract.deletedAt).toBeUndefined();
});
