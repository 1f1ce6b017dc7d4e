import { useMockServer } from 'usage-billing-mock/jest';

const mock = useMockServer();

test('a file has the mock of its project', async () => {
  const customers = await mock.account.customers.list();
  expect(customers.length > 0).toBe(false);
});
