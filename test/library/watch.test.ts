import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createMockServer, type MockServer, UnknownIdError } from '../../src/index.js';
import { writeFixture } from '../support/fixture.js';

const servers: MockServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

async function watching(dataset: string): Promise<MockServer> {
  const server = await createMockServer({ dataset, watch: true });
  servers.push(server);
  return server;
}

/** Waits until the server has a customer with this name, or the test times out. */
async function untilNamed(server: MockServer, name: string): Promise<void> {
  while (
    !server
      .account('t')
      .customers.list()
      .some((customer) => customer.name === name)
  ) {
    await wait(20);
  }
}

/** Waits until the token is refused. */
async function untilRefused(server: MockServer, token: string): Promise<void> {
  const authorized = { headers: { Authorization: `Bearer ${token}` } };
  while ((await server.fetch('/measurements', authorized)).status !== 401) await wait(20);
}

describe('createMockServer({ watch: true })', () => {
  test('sees what changed before it was started, and while it was stopped', async () => {
    const file = writeFixture('customers: [{ name: One }]');
    const server = await watching(file);
    writeFileSync(file, 'customers: [{ name: Before }]');
    await server.start();
    await untilNamed(server, 'Before');
    await server.stop();
    writeFileSync(file, 'customers: [{ name: Meanwhile }]');
    await server.start();
    await untilNamed(server, 'Meanwhile');
  });

  test('leaves another server over the same file alone when it is stopped', async () => {
    const file = writeFixture('customers: [{ name: One }]');
    const [one, other] = [await watching(file), await watching(file)];
    await one.start();
    await other.start();
    await one.stop();
    writeFileSync(file, 'customers: [{ name: Two }]');
    await untilNamed(other, 'Two');
    expect(one.account('t').customers.list()).toMatchObject([{ name: 'One' }]);
  });

  test('lets an account that was held see the new records', async () => {
    const file = writeFixture('customers: [{ name: One }]');
    const server = await watching(file);
    const held = server.account('t');
    held.customers.put({ id: 'mine', name: 'Mine' });
    await server.start();
    writeFileSync(file, 'customers: [{ name: Two }]');
    await untilNamed(server, 'Two');
    expect(held.customers.list()).toMatchObject([{ name: 'Two' }]);
  });

  test('keeps the dataset and the accounts over it when the records are the same', async () => {
    const file = writeFixture('customers: [{ name: One }]');
    const server = await watching(file);
    const { dataset } = server;
    const held = server.account('t');
    held.customers.put({ id: 'mine', name: 'Mine' });
    const other = server.account('other');
    other.importState({ extends: 'empty' });
    await server.start();
    // The declaration shows that the file was reloaded.
    writeFileSync(file, 'customers: [{ name: One }]\naccounts: { b: { refused: true } }');
    await untilRefused(server, 'b');
    expect(server.dataset).toBe(dataset);
    expect(held.customers.get('mine')).toMatchObject({ name: 'Mine' });
    expect(other.customers.list()).toEqual([]);
  });

  test('resets every account onto changed decisions, those over other datasets too', async () => {
    const declared = 'accounts: { e: { dataset: empty } }\n';
    const file = writeFixture(`${declared}decisions: { repeat-delete: gone, last-page: exact }`);
    const server = await watching(file);
    const accounts = ['t', 'e'].map((token) => server.account(token));
    const [first] = accounts;
    first?.decisions.change({ 'repeat-delete': 'conflict', 'total-counts': 'page' });
    first?.snapshot('before');
    await server.start();
    writeFileSync(file, `${declared}decisions: { repeat-delete: same-result }`);
    while (first?.decisions.inForce['repeat-delete'] !== 'same-result') await wait(20);
    for (const { decisions } of [...accounts, server.account('new')]) {
      expect(decisions.inForce).toMatchObject({
        'repeat-delete': 'same-result',
        'total-counts': 'all',
      });
    }
    first.decisions.change({ 'repeat-delete': 'gone' });
    first.reset();
    expect(first.decisions.inForce['repeat-delete']).toBe('same-result');
    expect(() => first.restore('before')).toThrow(UnknownIdError);
  });

  test('applies changed decisions of the whole server, and those given as options still win', async () => {
    const file = writeFixture('seed: 1');
    const server = await createMockServer({
      dataset: file,
      watch: true,
      decisions: { 'repeat-delete': 'gone' },
    });
    servers.push(server);
    const url = await server.start();
    writeFileSync(
      file,
      'decisions: { unauthorized-status: 403, unknown-token: reject, error-body: message, repeat-delete: conflict }',
    );
    while ((await fetch(`${url}/measurements`)).status !== 403) await wait(20);
    const unknown = await server.fetch('/measurements', { headers: { Authorization: 'Bearer u' } });
    expect(unknown.status).toBe(403);
    expect(await unknown.json()).toEqual({ message: expect.any(String) });
    expect(server.account('t').decisions.inForce['repeat-delete']).toBe('gone');
  });
});
