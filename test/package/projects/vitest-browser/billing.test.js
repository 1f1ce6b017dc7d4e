import { createBrowserMock } from 'usage-billing-mock/browser';
import { beforeEach, expect, test } from 'vitest';

const url = 'https://billing.example';
const headers = { Authorization: 'Bearer my-token' };
let mock;

beforeEach(async () => {
  mock = await createBrowserMock();
  return mock.install({ url });
});

test('a contract is deleted in the page', async () => {
  const remove = () =>
    fetch(`${url}/contracts/65b000000000000000000001`, { method: 'DELETE', headers });
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
  expect(mock.account('my-token').journal.count({ operationId: 'deleteContract' })).toBe(2);
});

test('the kit, which needs Node, names the mock for pages', async () => {
  await expect(import('usage-billing-mock/vitest')).rejects.toThrow(
    'Import createBrowserMock from usage-billing-mock/browser instead',
  );
});
