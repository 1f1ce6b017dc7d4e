// With the matchers of @jest/globals, from which `expect` is imported.
import { expect, test } from '@jest/globals';
import type { TestMock } from 'usage-billing-mock/jest';
import { useMockServer } from 'usage-billing-mock/jest';

const mock: TestMock = useMockServer({ dataset: 'empty' });

test('matchers are typed on the expect that is imported', async () => {
  const headers = { Authorization: `Bearer ${mock.token}` };
  const response = await fetch(`${mock.url}/measurements?limit=10`, { headers });
  await expect(response).toMatchContract('listMeasurements');
  expect(mock).toHaveReceivedTimes('listMeasurements', 1, { limit: 10 });
  // @ts-expect-error: there is no such operation.
  expect(() => expect(mock).toHaveReceivedTimes('listMeasurement', 1)).toThrow("'listMeasurement'");
});
