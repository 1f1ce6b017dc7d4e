import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';

const CONTRACT = '65b000000000000000000001';

describe('DELETE /__control/accounts', () => {
  test('closes every account and says how many there were', async () => {
    const server = await createMockServer({ maxAccounts: 2 });
    const clients = [clientOf(server), clientOf(server)];
    for (const client of clients) await client.delete(`/contracts/${CONTRACT}`);
    const held = server.account(clients[0]?.token ?? '');
    const { status, body } = await controlOf(server, clients[0]?.token).delete('/accounts');
    expect([status, body]).toEqual([200, { closed: 2 }]);
    expect(server.tokens()).toEqual([]);
    expect(() => held.customers.list()).toThrow('The account was closed');
    for (const client of clients) {
      expect((await client.delete(`/contracts/${CONTRACT}`)).status).toBe(200);
    }
  });

  test('makes room where a new token is refused, and opens no account for its own', async () => {
    const server = await createMockServer({ dataset: 'empty', maxAccounts: 1 });
    server.account('first');
    const control = controlOf(server);
    expect((await control.get('/account')).status).toBe(503);
    expect((await control.delete('/accounts')).body).toEqual({ closed: 1 });
    expect((await control.delete('/accounts')).body).toEqual({ closed: 0 });
    expect(server.tokens()).toEqual([]);
    expect((await control.get('/account')).status).toBe(200);
  });

  test('needs no bearer token, but the control token where one is demanded', async () => {
    const server = await createMockServer({ dataset: 'empty', controlToken: 'secret' });
    server.account('t');
    const close = () => request(server.app).delete('/__control/accounts');
    expect((await close()).status).toBe(403);
    expect(server.tokens()).toEqual(['t']);
    const { status, body } = await close().set('X-Control-Token', 'secret');
    expect([status, body]).toEqual([200, { closed: 1 }]);
  });

  test('refuses a parameter that it does not have', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    server.account('t');
    expect((await controlOf(server).delete('/accounts?token=t')).status).toBe(400);
    expect(server.tokens()).toEqual(['t']);
  });
});

test('closeAllAccounts of the library does the same', async () => {
  const server = await createMockServer({ dataset: 'empty', maxAccounts: 2 });
  const held = [server.account('a'), server.account('b')];
  expect(server.closeAllAccounts()).toBe(2);
  expect(server.closeAllAccounts()).toBe(0);
  for (const account of held) expect(() => account.customers.list()).toThrow('was closed');
  expect(server.tokens()).toEqual([]);
});
