const { useMockServer } = require('usage-billing-mock/jest');
const { callInEveryWay, EXPECTED } = require('../calls.cjs');

const mock = useMockServer();

test('every call is answered under timers that are fake before the mock is loaded', async () => {
  expect(setImmediate.clock).toBeDefined();
  expect(await callInEveryWay(mock)).toEqual(EXPECTED);
});
