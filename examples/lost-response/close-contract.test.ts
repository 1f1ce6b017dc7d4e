import { useMockServer } from 'usage-billing-mock/vitest';
import { expect, test } from 'vitest';
import { closeContract } from './close-contract.js';

const mock = useMockServer();

test('closes a contract even if the response is lost', async () => {
  mock.account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
  await closeContract(mock.url, mock.token, '65b000000000000000000001');
  expect(mock).toHaveReceivedTimes('deleteContract', 2);
});
