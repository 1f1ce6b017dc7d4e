import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const server = await createMockServer();
const ACME_CONTRACT = '65b000000000000000000001';

describe('deleteContract', () => {
  test('answers with the contract as it was, and the time of its deletion', async () => {
    const client = clientOf(server);
    const before = server.account(client.token).contracts.get(ACME_CONTRACT);
    const calledAt = Date.now();

    const { status, body } = await client.delete(`/contracts/${ACME_CONTRACT}`);

    expect(status).toBe(200);
    expect(body).toEqual({ contract: { ...before, deletedAt: expect.any(String) } });
    expect(body.contract.deletedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(body.contract.deletedAt)).toBeGreaterThanOrEqual(calledAt);
    expect(Date.parse(body.contract.deletedAt)).toBeLessThanOrEqual(Date.now());
  });

  test('keeps the deleted contract as a tombstone', async () => {
    const client = clientOf(server);
    const { body } = await client.delete(`/contracts/${ACME_CONTRACT}`);
    const kept = server.account(client.token).contracts.get(ACME_CONTRACT);
    expect(kept).toEqual(body.contract);
    expect(Object.isFrozen(kept)).toBe(true);
  });

  test('answers a second delete as if the contract had never been', async () => {
    const client = clientOf(server);
    await client.delete(`/contracts/${ACME_CONTRACT}`);
    const { status, body } = await client.delete(`/contracts/${ACME_CONTRACT}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      type: 'urn:usage-billing-mock:problem:unknown-identifier',
      decision: 'repeat-delete',
      section: '3',
      detail: expect.stringMatching(
        `^The contract '${ACME_CONTRACT}' was already deleted, at 20[-:.\\dTZ]+; expected one that is not deleted. If this repeats a request whose response was lost, that request succeeded.$`,
      ),
    });
  });

  test('leaves the contract to every other account', async () => {
    const [one, other] = [clientOf(server), clientOf(server)];
    await one.delete(`/contracts/${ACME_CONTRACT}`);
    expect((await other.delete(`/contracts/${ACME_CONTRACT}`)).status).toBe(200);
  });

  test('refuses an id that no contract has', async () => {
    const { status, body } = await clientOf(server).delete('/contracts/nobody');
    expect(status).toBe(404);
    expect(body.detail).toBe(
      "This account has no contract with the id 'nobody'. Send one that GET /__control/contracts lists, or add it.",
    );
  });

  test('says of a contract that was removed that the dataset has it', async () => {
    const client = clientOf(server);
    server.account(client.token).contracts.remove(ACME_CONTRACT);
    const { body } = await client.delete(`/contracts/${ACME_CONTRACT}`);
    expect(body.detail).toBe(
      `This account has no contract with the id '${ACME_CONTRACT}'. The dataset has it, but it was removed from this account. To get it back, reset the account.`,
    );
  });

  test('matches ids code point by code point', async () => {
    const client = clientOf(server);
    expect((await client.delete(`/contracts/${ACME_CONTRACT.toUpperCase()}`)).status).toBe(404);
    expect((await client.delete(`/contracts/%20${ACME_CONTRACT}`)).status).toBe(404);
  });

  test('keeps both timestamps of the first deletion if the second has the same result', async () => {
    const client = clientOf(server);
    const { clock, decisions } = server.account(client.token);
    decisions.change({ 'repeat-delete': 'same-result', 'updated-at-on-delete': 'deletion-time' });
    clock.freeze('2026-05-01T00:00:00.000Z');
    const { body } = await client.delete(`/contracts/${ACME_CONTRACT}`);
    const { updatedAt, deletedAt } = body.contract;
    expect([updatedAt, deletedAt]).toEqual(Array(2).fill('2026-05-01T00:00:00.000Z'));
    clock.advance(3_600_000);
    expect((await client.delete(`/contracts/${ACME_CONTRACT}`)).body).toEqual(body);
    expect(server.account(client.token).contracts.get(ACME_CONTRACT)).toEqual(body.contract);
  });

  test('deletes a contract that a test has put', async () => {
    const client = clientOf(server);
    server.account(client.token).contracts.put({ id: 'mine/1', name: 'Mine' });
    const { status, body } = await client.delete('/contracts/mine%2F1');
    expect(status).toBe(200);
    expect(body.contract).toMatchObject({ id: 'mine/1', name: 'Mine' });
  });
});
