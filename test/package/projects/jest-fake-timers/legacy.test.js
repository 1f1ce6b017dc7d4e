const { useMockServer } = require('usage-billing-mock/jest');
const { callInEveryWay, EXPECTED } = require('../calls.cjs');

const mock = useMockServer();

beforeAll(() => {
  jest.useFakeTimers({ legacyFakeTimers: true });
});

test('every call is answered under the legacy fake timers', async () => {
  expect(jest.isMockFunction(setImmediate)).toBe(true);
  expect(await callInEveryWay(mock)).toEqual(EXPECTED);
});
