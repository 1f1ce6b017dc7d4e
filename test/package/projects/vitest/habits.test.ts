import { setTimeout as passed } from 'node:timers/promises';
import { useMockServer } from 'usage-billing-mock/vitest';
import { afterEach, expect, test, vi } from 'vitest';

const mock = useMockServer();

const get = (path: string) =>
  fetch(mock.url + path, { headers: { Authorization: `Bearer ${mock.token}` } });

afterEach(() => {
  vi.useRealTimers();
});

test('a test waits for requests that come later, under fake timers too', async () => {
  vi.useFakeTimers();
  const sent = passed(50).then(() => get('/customers/c1'));
  const [request] = await mock.journal.waitFor(
    { operationId: 'getCustomer' },
    { timeoutMs: 9_000 },
  );
  expect(request?.status).toBe(404);
  const again = passed(50).then(() => get('/measurements'));
  await mock.journal.waitFor({ operationId: 'listMeasurements' }, { timeoutMs: 9_000 });
  expect(mock).toHaveReceivedInOrder([['getCustomer', { customerId: 'c1' }], 'listMeasurements']);
  await Promise.all([sent, again]);
  await expect(mock.journal.waitFor({ status: 500 }, { timeoutMs: 1 })).rejects.toThrow(
    '0 of the 2 in the journal match and have ended',
  );
});

test('a test may be asked whether all that it arranged was met', async () => {
  mock.account.faults.add({ operationId: 'getCustomer', kind: 'status', status: 503 });
  mock.account.stubs.add({ method: 'GET', path: '/me', body: { name: 'Robin' } });
  expect(mock).not.toHaveNothingPending();
  expect(mock.story()).toContain('Stub 1: GET /me was not called.');
  await get('/customers/c1');
  await get('/me');
  expect(mock).toHaveNothingPending();
});

test('an account is named after its test', async () => {
  await get('/measurements');
  const { accounts } = await (await fetch(`${mock.url}/__control/accounts`)).json();
  expect(accounts.map(({ name }: { name: string }) => name)).toContainEqual(
    expect.stringMatching(/^habits\.test\.ts › an account is named after its test#\d+$/),
  );
});
