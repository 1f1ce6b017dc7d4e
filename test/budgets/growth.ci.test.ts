import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const server = await createMockServer({ dataset: 'empty' });
/** All tests together stay below the bound of what a server keeps. */
const MANY = 25_000;

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, nth) => `id-${nth}`);
}

// With a copy of all other ids at each change, these take ten minutes: far beyond any limit.
describe('what grows no faster than the records', () => {
  test('is a deletion by a ref that tens of thousands bear', async () => {
    const client = clientOf(server);
    const { events } = server.account(client.token);
    for (const id of ids(MANY)) events.put({ id, ref: 'one', timestamp: TIMESTAMP });
    const { status, body } = await client.deleteEvents(['one']);
    expect([status, body.events.length]).toEqual([200, MANY]);
    expect((await client.deleteEvents(['one'])).body.events).toEqual([]);
  });

  test('are customers of one name and one alias, put, renamed and found', async () => {
    const client = clientOf(server);
    const account = server.account(client.token);
    const put = (name: string) => {
      for (const id of ids(MANY)) account.customers.put({ id, name, aliases: [name] });
    };
    account.decisions.change({ 'name-matches': 'name-or-alias' });
    for (const name of ['first', 'second']) {
      put(name);
      expect((await client.get(`/customers/name/${name}`)).status).toBe(200);
    }
    expect((await client.get('/customers/name/first')).status).toBe(404);
  });

  test('is a customer of many aliases', () => {
    const { customers } = server.account('aliases');
    const aliases = ids(MANY);
    customers.put({ id: 'c', aliases });
    customers.put({ id: 'c', aliases: aliases.toReversed() });
    expect(customers.list()).toHaveLength(1);
  });

  test('are records added where as many were added before, and half of them removed', () => {
    const { contracts } = server.account('added');
    const added = ids(MANY).map(() => contracts.add({}).id);
    for (const id of added.slice(0, MANY / 2)) contracts.remove(id);
    for (let nth = 0; nth < MANY / 4; nth += 1) contracts.add({});
    expect(contracts.list()).toHaveLength((MANY * 3) / 4);
  });
});

const TIMESTAMP = '2026-01-01T00:00:00.000Z';
