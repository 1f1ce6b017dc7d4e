import { expect, test } from 'usage-billing-mock/playwright';

const passed = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const get = ({ url, token }: { url: string; token: string }, path: string) =>
  fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });

test('matchers retry as those of Playwright do', async ({ billing }) => {
  const sent = passed(400).then(() => get(billing, '/customers/c1'));
  await expect(billing).toHaveReceived('getCustomer');
  const again = passed(400).then(() => get(billing, '/measurements'));
  await expect(billing).toHaveReceivedInOrder([
    ['getCustomer', { customerId: 'c1' }],
    'listMeasurements',
  ]);
  await expect(billing).toHaveReceivedTimes('listMeasurements', 1, { limit: undefined });
  await Promise.all([sent, again]);
});

test('what must not come is waited for', async ({ billing }) => {
  const early = expect(billing).not.toHaveReceived('getCustomer', { timeout: 0 });
  await expect(early).resolves.toBeUndefined();
  const sent = passed(400).then(() => get(billing, '/customers/c1'));
  const late = expect(billing)
    .not.toHaveReceived('getCustomer', {}, { timeout: 10_000 })
    .then(() => 'passed', String);
  expect(await late).toContain('not to have received getCustomer');
  await sent;
});

test('all that was arranged is met', async ({ billing }) => {
  await billing.account.faults.add({ operationId: 'getCustomer', kind: 'status', status: 503 });
  await billing.account.stubs.add({ method: 'GET', path: '/me' });
  await expect(billing).not.toHaveNothingPending();
  await get(billing, '/customers/c1');
  const sent = passed(400).then(() => get(billing, '/me'));
  await expect(billing).toHaveNothingPending();
  await sent;
});

test.describe('a mock of its own', () => {
  test.use({
    billingOptions: {
      server: {
        dataset: 'empty',
        routes: () => Response.json({ name: 'Robin' }),
      },
    },
  });

  test('has routes', async ({ billing }) => {
    expect(await (await get(billing, '/me')).json()).toEqual({ name: 'Robin' });
    expect(await billing.account.customers.list()).toEqual([]);
  });
});

test('an account is named after its test', async ({ billing }) => {
  await get(billing, '/measurements');
  const { accounts } = await (await fetch(`${billing.url}/__control/accounts`)).json();
  expect(accounts.map(({ name }: { name: string }) => name)).toContainEqual(
    expect.stringMatching(/^habits\.spec\.ts › an account is named after its test#\d+$/),
  );
});
