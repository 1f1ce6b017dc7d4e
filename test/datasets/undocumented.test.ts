import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { writeFixture } from '../support/fixture.js';

const RECORDS = `
customers: [{ id: c1, name: null, aliases: null, tier: gold, address: { geo: { lat: 1 }, city: null } }]
contracts: [{ id: k1, deletedAt: null, products: [{ sku: s, pricing: null }] }]
measurements: [{ id: m1, value: null, labels: [a] }]
events: [{ id: e1, ref: r1, deletedAt: null, data: { a: null } }]
`;

const serve = (text: string) => createMockServer({ dataset: writeFixture(text) });

describe('a fixture that keeps what the document does not list', () => {
  test('has it in responses', async () => {
    const {
      get,
      delete: remove,
      deleteEvents,
    } = clientOf(await serve(`undocumented: keep\n${RECORDS}`));
    expect((await get('/customers/c1')).body.customer).toMatchObject({
      name: null,
      aliases: null,
      tier: 'gold',
      address: { geo: { lat: 1 }, city: null },
    });
    expect((await get('/measurements')).body.measurements).toMatchObject([
      { value: null, labels: ['a'] },
    ]);
    const { status, body } = await remove('/contracts/k1');
    expect([status, body.contract.deletedAt]).toEqual([200, expect.any(String)]);
    expect((await deleteEvents(['r1'])).body.events).toMatchObject([
      { id: 'e1', data: { a: null } },
    ]);
  });

  test('says so in the document in force and in the fidelity', async () => {
    const [keeping, plain] = [await serve('undocumented: keep'), await serve('{}')];
    const schemasOf = (server: typeof plain) =>
      Object(server.openapi('t')).components.schemas as Record<string, object>;
    expect(schemasOf(keeping).Customer).toMatchObject({
      additionalProperties: true,
      properties: { name: { nullable: true } },
    });
    expect(schemasOf(plain).Customer).not.toHaveProperty('additionalProperties');
    const behaviours = (server: typeof plain) =>
      server
        .account('t')
        .decisions.fidelity()
        .map(({ behaviour }) => behaviour)
        .join('\n');
    expect(behaviours(keeping)).toContain('undocumented: keep');
    expect(behaviours(keeping)).not.toContain('Nothing is `null`');
    expect(behaviours(plain)).toContain('Nothing is `null`');
  });

  test('lets a test write it, by the library and by the control plane', async () => {
    const server = await serve(`undocumented: keep\n${RECORDS}`);
    const account = server.account('t');
    account.customers.patch('c1', { tier: 'silver' });
    const { get } = clientOf(server, 't');
    const { status, body } = await get('/__control/customers/c1');
    expect([status, body.tier]).toEqual([200, 'silver']);
    const state = account.exportState();
    account.reset();
    account.importState(state);
    expect(account.customers.get('c1')).toMatchObject({ tier: 'silver', name: null });
    expect(() => account.customers.put({ id: 'c2', name: 5 } as never)).toThrow(
      /expected a string/,
    );
  });

  test('has it in scenarios too', async () => {
    const scenario = 'scenarios: { late: { customers: [{ id: c2, tier: iron, name: null }] } }';
    const account = (await serve(`undocumented: keep\n${scenario}`)).account('t');
    account.scenario('late');
    expect(account.customers.get('c2')).toMatchObject({ tier: 'iron', name: null });
    await expect(serve(scenario)).rejects.toThrow(/late/);
  });

  test('still needs ids and times', async () => {
    await expect(serve('undocumented: keep\nmeasurements: [{ id: null }]')).rejects.toThrow(
      /a string/,
    );
    await expect(serve('undocumented: keep\nevents: [{ timestamp: null }]')).rejects.toThrow(
      /a string/,
    );
  });

  test('is what a refusal suggests, and nothing else is kept', async () => {
    await expect(serve('customers: [{ tier: gold }]')).rejects.toThrow(/`undocumented: keep`/);
    await expect(serve('customers: [{ name: null }]')).rejects.toThrow(/`undocumented: keep`/);
    await expect(serve('undocumented: keep\ncustomer: []')).rejects.toThrow(
      /Did you mean 'customers'/,
    );
    await expect(serve('undocumented: drop')).rejects.toThrow(/expected 'keep'/);
  });
});
