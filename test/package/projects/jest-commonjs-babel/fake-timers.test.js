import { useMockServer } from 'usage-billing-mock/jest';
import { callInEveryWay, EXPECTED } from '../calls.cjs';

const mock = useMockServer();

// They stay in force when the server stops.
beforeAll(() => {
  jest.useFakeTimers();
});

test('every call is answered under the fake timers of jest', async () => {
  expect(setImmediate.clock).toBeDefined();
  expect(await callInEveryWay(mock)).toEqual(EXPECTED);
});
