import { useMockServer } from 'usage-billing-mock/jest';

const mock = useMockServer({ dataset: 'empty' });

test('an account on its first day has no measurements', async () => {
  const headers = { Authorization: `Bearer ${mock.token}` };
  const answer = await mock.fetch('/measurements', { headers });
  await expect(answer).toMatchContract('listMeasurements');
  expect(await answer.json()).toEqual({ measurements: [], total: 0, hasMore: false });
  await expect(mock).toHaveReceivedTimes('listMeasurements', 1);
});
