import { useMockServer } from 'usage-billing-mock/jest';

const mock = useMockServer({ dataset: 'empty' });

test('an account on its first day has no measurements', async () => {
  const headers = { Authorization: `Bearer ${mock.token}` };
  const response = await mock.fetch('/measurements', { headers });
  await expect(response).toMatchContract('listMeasurements');
  expect(await response.json()).toEqual({ measurements: [], total: 0, hasMore: false });
  expect(mock).toHaveReceivedTimes('listMeasurements', 1);
});
