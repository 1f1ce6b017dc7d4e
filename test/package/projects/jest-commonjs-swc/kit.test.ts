import { useMockServer } from 'usage-billing-mock/jest';

const mock = useMockServer();

test('an account is arranged, called and inspected', async () => {
  mock.account.customers.put({ id: 'c1', name: 'Initech' });
  const headers = { Authorization: `Bearer ${mock.token}` };
  const response = await mock.fetch('/customers/c1', { headers });
  expect((await response.json()).customer.name).toBe('Initech');
  expect(mock).toHaveReceived('getCustomer', { customerId: 'c1' });
});
