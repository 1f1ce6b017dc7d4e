import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { openapi } from '../support/document.js';

const CONTRACT = '65b000000000000000000001';

describe('when as many accounts are open as there may be', () => {
  test('a new token gets a 503 problem that says what to do, and opens nothing', async () => {
    const server = await createMockServer({ maxAccounts: 2 });
    const clients = ['a', 'b', 'c'].map((token) => clientOf(server, token));
    const statuses: number[] = [];
    for (const client of clients) statuses.push((await client.get('/measurements')).status);
    expect(statuses).toEqual([200, 200, 503]);

    const response = await clients[2]?.get('/measurements');
    expect(response?.headers['content-type']).toBe('application/problem+json');
    const { example } =
      openapi.components.responses.ServiceUnavailable.content['application/problem+json'];
    expect(response?.body).toEqual({ ...example, detail: example.detail.replaceAll('10000', '2') });
  });

  test('no open account is forgotten', async () => {
    const server = await createMockServer({ maxAccounts: 1 });
    const [first, second] = [clientOf(server), clientOf(server)];
    await first.delete(`/contracts/${CONTRACT}`);
    await second.get('/measurements');
    expect((await first.delete(`/contracts/${CONTRACT}`)).body.decision).toBe('repeat-delete');
  });

  test('closing one makes room, and the closed one opens anew', async () => {
    const server = await createMockServer({ maxAccounts: 1 });
    const [first, second] = [clientOf(server), clientOf(server)];
    await first.delete(`/contracts/${CONTRACT}`);
    expect(server.closeAccount(first.token)).toBe(true);
    expect(server.closeAccount(first.token)).toBe(false);
    expect((await second.get('/measurements')).status).toBe(200);
    server.closeAccount(second.token);
    expect((await first.delete(`/contracts/${CONTRACT}`)).status).toBe(200);
  });

  test('what was held of a closed account is refused, not written into nothing', async () => {
    const server = await createMockServer();
    const held = server.account('a');
    const { customers } = held;
    server.closeAccount('a');
    for (const act of [
      () => customers.put({ id: 'lost', name: 'Lost' }),
      () => held.customers.list(),
      () => held.contracts.get(CONTRACT),
    ]) {
      expect(act).toThrow('The account was closed; expected an open one.');
    }
    expect(server.account('a').customers.list()).toHaveLength(25);
  });

  test('the library is told so too', async () => {
    const server = await createMockServer({ maxAccounts: 1 });
    server.account('a');
    expect(() => server.account('b')).toThrow('raise the limit with --max-accounts');
    expect(server.account('a').customers.list()).toHaveLength(25);
  });

  test('a request without a token is still a 401, a refused token too', async () => {
    const server = await createMockServer({ maxAccounts: 1 });
    server.account('a');
    expect((await clientOf(server, 'token-refused').get('/measurements')).status).toBe(401);
  });
});
