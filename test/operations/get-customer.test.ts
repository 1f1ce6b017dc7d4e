import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const server = await createMockServer();
const ACME = '65a000000000000000000001';

describe('getCustomer', () => {
  test('answers with the customer of an id, every field of it', async () => {
    const client = clientOf(server);
    const { status, body } = await client.get(`/customers/${ACME}`);
    expect(status).toBe(200);
    expect(body).toEqual({ customer: server.account(client.token).customers.get(ACME) });
  });

  test('answers with the customer of an externalId', async () => {
    const { status, body } = await clientOf(server).get('/customers/0015g00000XyZabAAF');
    expect(status).toBe(200);
    expect(body.customer.id).toBe(ACME);
  });

  test('prefers an id over an externalId', async () => {
    const client = clientOf(server);
    const { customers } = server.account(client.token);
    customers.put({ id: 'impostor', externalId: ACME, createdAt: '2000-01-01T00:00:00.000Z' });
    const { body } = await client.get(`/customers/${ACME}`);
    expect(body.customer.id).toBe(ACME);
  });

  test('answers with the oldest of several customers with one externalId', async () => {
    const client = clientOf(server);
    const { customers } = server.account(client.token);
    customers.put({ id: 'b', externalId: 'shared', createdAt: '2026-02-01T00:00:00.000Z' });
    customers.put({ id: 'c', externalId: 'shared', createdAt: '2026-01-01T00:00:00.000Z' });
    customers.put({ id: 'd', externalId: 'shared', createdAt: '2026-03-01T00:00:00.000Z' });
    expect((await client.get('/customers/shared')).body.customer.id).toBe('c');
  });

  test('takes the id "name" for an id, not for a missing name', async () => {
    const client = clientOf(server);
    server.account(client.token).customers.put({ id: 'name', name: 'Called name' });
    expect((await client.get('/customers/name')).body.customer.name).toBe('Called name');
  });

  test('refuses what is neither an id nor an externalId', async () => {
    const { status, body } = await clientOf(server).get('/customers/nobody');
    expect(status).toBe(404);
    expect(body).toMatchObject({
      type: 'urn:usage-billing-mock:problem:unknown-identifier',
      detail:
        "This account has no customer with the id or externalId 'nobody'. Send one that GET /__control/customers lists, or add it.",
      decision: 'unknown-identifier-status',
    });
  });

  test('says so if the id is that of a record in another collection', async () => {
    const client = clientOf(server);
    const [contract] = server.account(client.token).contracts.list();
    expect((await client.get(`/customers/${contract?.id}`)).body.detail).toBe(
      `This account has no customer with the id or externalId '${contract?.id}'. This is the id of a record in contracts. Send one that GET /__control/customers lists, or add it.`,
    );
    const { body } = await client.delete(`/contracts/${ACME}`);
    expect(body.detail).toContain('This is the id of a record in customers.');
  });

  test('no longer finds a customer that a test has removed', async () => {
    const client = clientOf(server);
    expect(server.account(client.token).customers.remove(ACME)).toBe(true);
    expect(server.account(client.token).customers.remove(ACME)).toBe(false);
    const { status, body } = await client.get(`/customers/${ACME}`);
    expect([status, body.detail]).toEqual([
      404,
      `This account has no customer with the id or externalId '${ACME}'. The dataset has it, but it was removed from this account. To get it back, reset the account.`,
    ]);
    expect((await client.get('/customers/0015g00000XyZabAAF')).status).toBe(404);
  });
});
