import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createMockServer, type MockServer } from '../../src/index.js';
import { writeFixture } from '../support/fixture.js';

const servers: MockServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

async function watching(dataset: string): Promise<MockServer> {
  const server = await createMockServer({ dataset, watch: true });
  servers.push(server);
  return server;
}

/** Waits until the server has a customer of this name; the test's own time limit ends it. */
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
});
