// With the matchers of @types/jest, under which `expect` is global.
import { useMockServer } from 'usage-billing-mock/jest';

const { callInEveryWay, EXPECTED } = require('../calls.cjs');

const mock = useMockServer();

test('matchers are typed on the global expect', async () => {
  const contractId = '65b000000000000000000001';
  const headers = { Authorization: `Bearer ${mock.token}` };
  const response = await mock.fetch(`/contracts/${contractId}`, { method: 'DELETE', headers });
  await expect(response).toMatchContract('deleteContract');
  expect(mock).toHaveReceived('deleteContract', { contractId });
  expect(mock).not.toHaveReceived('getCustomer');
  // @ts-expect-error: there is no such operation.
  expect(() => expect(mock).toHaveReceived('deleteContracts')).toThrow("'deleteContracts'");
  expect(mock).toHaveReceivedInOrder([['deleteContract', { contractId }]]);
  const customerId = contractId;
  const inOrder = () =>
    // @ts-expect-error: nor does one in a list.
    expect(mock).toHaveReceivedInOrder([['deleteContract', { customerId }]]);
  expect(inOrder).toThrow('customerId');
  // @ts-expect-error: nor does it accept such a parameter.
  expect(() => expect(mock).toHaveReceived('deleteContract', { customerId })).toThrow('customerId');
});

test('every call is answered under fake timers', async () => {
  jest.useFakeTimers();
  expect(await callInEveryWay(mock)).toEqual(EXPECTED);
});
