import { randomUUID } from 'node:crypto';
import { createMockServer } from 'usage-billing-mock';
import { BillingClient, type BillingError } from './billing-client.js';

const CONTRACT = '65b000000000000000000001';

const server = await createMockServer();
const url = await server.start();
afterAll(() => server.stop());

/** A client, and the account that it acts on: a token of its own, so that tests do not meet. */
function open() {
  const token = randomUUID();
  return { client: new BillingClient(url, token), account: server.account(token) };
}

test('a contract is deleted once in each account', async () => {
  const { client } = open();
  expect((await client.deleteContract(CONTRACT))?.deletedAt).toBeDefined();
  const again = client.deleteContract(CONTRACT).catch(({ status }: BillingError) => status);
  expect(await again).toBe(404);
  await expect(open().client.deleteContract(CONTRACT)).resolves.toMatchObject({ id: CONTRACT });
});

test('a delete whose response is lost is tried again', async () => {
  const { client, account } = open();
  account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
  await expect(client.deleteContract(CONTRACT)).resolves.toBeUndefined();
  expect(account.journal.count({ operationId: 'deleteContract' })).toBe(2);
});

test('all measurements are walked by cursor', async () => {
  const { client, account } = open();
  const ids = new Set<string>();
  for await (const { id } of client.measurements()) ids.add(id);
  expect(ids.size).toBe(account.measurements.list().length);
  expect(account.journal.count({ operationId: 'listMeasurements' })).toBe(
    Math.ceil(ids.size / 1000),
  );
});
