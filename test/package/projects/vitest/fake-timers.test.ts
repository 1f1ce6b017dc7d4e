import { useMockServer } from 'usage-billing-mock/vitest';
import { beforeAll, expect, test, vi } from 'vitest';
import { callInEveryWay, EXPECTED } from '../calls.cjs';

const mock = useMockServer();

// They stay in force when the server stops.
beforeAll(() => {
  vi.useFakeTimers();
});

test('every call is answered under the fake timers of vitest', async () => {
  expect(setImmediate).toHaveProperty('clock');
  expect(await callInEveryWay(mock)).toEqual(EXPECTED);
});
