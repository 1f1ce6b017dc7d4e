import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { writeFixture } from '../support/fixture.js';

const ACME = '65a000000000000000000001';

/** A server over a fixture with this text, and one of its accounts. */
async function serve(text: string, name?: string) {
  const server = await createMockServer({ dataset: writeFixture(text, name) });
  return { server, client: clientOf(server), account: server.account('t') };
}

describe('a fixture of the user', () => {
  test('may leave out ids and stamps', async () => {
    const { client } = await serve('customers: [{ name: Acme }]');
    const { status, body } = await client.get('/customers/name/Acme');
    expect(status).toBe(200);
    expect(body.customer).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Acme',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('may name what it has written once as often as it likes', async () => {
    const customers = Array.from(
      { length: 150 },
      (_, nth) => `  - { id: c${nth}, name: N${nth}, address: *a }`,
    );
    const { account } = await serve(
      `customers:\n  - { id: c, name: N, address: &a { city: Berlin } }\n${customers.join('\n')}`,
    );
    expect(account.customers.get('c149')).toMatchObject({ address: { city: 'Berlin' } });
  });

  test('may leave out when an event was stored: when it happened, or was deleted if that is earlier', async () => {
    const [sooner, later] = ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];
    const { account } = await serve(
      `events: [{ id: a, timestamp: "${sooner}", deletedAt: "${later}" }, { id: b, timestamp: "${later}", deletedAt: "${sooner}" }]`,
    );
    expect(account.events.list()).toMatchObject([
      { id: 'a', createdAt: sooner },
      { id: 'b', createdAt: sooner },
    ]);
  });

  test('may leave out when an event was stored, and has two instants in one millisecond', async () => {
    const [sooner, later] = ['2025-06-01T00:00:00.0001Z', '2025-06-01T00:00:00.0002Z'];
    const { account } = await serve(
      `events: [{ id: a, timestamp: "${later}", deletedAt: "${sooner}" }]`,
    );
    expect(account.events.list()).toMatchObject([{ createdAt: sooner }]);
  });

  test('may leave out when a record was stored, but not when it was updated', async () => {
    const updatedAt = '2025-06-01T00:00:00.000Z';
    const { account } = await serve(`customers: [{ id: a, updatedAt: "${updatedAt}" }]`);
    expect(account.customers.list()).toMatchObject([{ createdAt: updatedAt, updatedAt }]);
  });

  test('may be JSON', async () => {
    const { client } = await serve('{ "customers": [{ "id": "j", "name": "J" }] }', 'own.json');
    expect((await client.get('/customers/j')).body.customer.name).toBe('J');
  });

  test('may be empty', async () => {
    const { client } = await serve('{}');
    expect((await client.get('/measurements')).body.total).toBe(0);
  });

  test('may hold records that are deleted already', async () => {
    const { client } = await serve(
      "contracts: [{ id: gone, deletedAt: '2026-01-01T00:00:00.000Z' }]",
    );
    const { status, body } = await client.delete('/contracts/gone');
    expect(status).toBe(404);
    expect(body.decision).toBe('repeat-delete');
  });

  test('may have a record with the id of a generated one, which stands in its place', async () => {
    const world =
      'seed: 5\ngenerate: { customers: 1, meters: [{ id: m, dailyUsage: 9 }], gaps: 0 }\n';
    const { account } = await serve(world);
    const [customer] = account.customers.list();
    const [measurement] = account.measurements.list();
    const other = await serve(
      `${world}customers: [{ id: "${customer?.id}", name: Mine }]\nmeasurements: [{ id: "${measurement?.id}", value: -1 }]`,
    );
    expect(other.account.customers.list()).toMatchObject([{ name: 'Mine' }]);
    expect(other.account.measurements.get(measurement?.id ?? '')?.value).toBe(-1);
    expect(other.account.measurements.list()).toHaveLength(account.measurements.list().length);
  });
});

describe('a fixture that extends another', () => {
  test('has the records of both', async () => {
    const { client, account } = await serve(
      'extends: default\ncustomers: [{ id: i, name: Initech }]',
    );
    expect((await client.get('/customers/i')).body.customer.name).toBe('Initech');
    expect((await client.get(`/customers/${ACME}`)).body.customer.name).toBe('Acme Corporation');
    expect(account.customers.list()).toHaveLength(26);
  });

  test('replaces a record that has the same id', async () => {
    const { client, account } = await serve(
      `extends: default\ncustomers: [{ id: ${ACME}, name: Replaced, aliases: [acme, acme-prod] }]`,
    );
    expect((await client.get('/customers/name/Replaced')).body.customer.id).toBe(ACME);
    expect((await client.get('/customers/name/Acme%20Corporation')).status).toBe(404);
    expect(account.customers.list()).toHaveLength(25);
  });

  test('has its decisions, and its own win', async () => {
    writeFixture('decisions: { repeat-delete: gone, error-body: message }', 'decided.yaml');
    const { account } = await serve(
      'extends: ./decided.yaml\ndecisions: { repeat-delete: conflict }',
    );
    expect(account.decisions.inForce).toMatchObject({
      'repeat-delete': 'conflict',
      'error-body': 'message',
    });
  });

  test('may refer to its customers, generated ones too', async () => {
    const server = await createMockServer();
    const generated = server.account('t').customers.list().at(-1)?.id;
    const { client } = await serve(
      `extends: default\ncontracts: [{ id: k, customerId: "${generated}" }]`,
    );
    expect((await client.delete('/contracts/k')).body.contract.customerId).toBe(generated);
  });

  test('changes what it generates, member by member', async () => {
    const { account } = await serve('extends: default\ngenerate: { customers: 3 }');
    expect(account.customers.list()).toHaveLength(8);
    expect(account.contracts.list()).toHaveLength(5 + 4);
    expect(account.measurements.list().length).toBeGreaterThan(8 * 3 * 80);
  });

  test('keeps the place of a record that it removes, if it or a later one has it again', async () => {
    const base = writeFixture('contracts: [{ id: a }, { id: b }, { id: c }]');
    const without = writeFixture(`{ extends: ${base}, exact: true, removed: { contracts: [b] } }`);
    const again = writeFixture(
      `{ extends: ${without}, exact: true, contracts: [{ id: d }, { id: b, crmOpportunityId: x }] }`,
    );
    const placesIn = async (dataset: string) =>
      [...(await createMockServer({ dataset })).dataset.contracts].map(({ id }) => id);
    expect(await placesIn(without)).toEqual(['a', 'c']);
    expect(await placesIn(again)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('may be a path from its own folder, over several steps', async () => {
    writeFixture('customers: [{ id: a, name: A }, { id: b, name: B }]', 'lowest.yaml');
    writeFixture('extends: lowest.yaml\ncustomers: [{ id: b, name: Bee }]', 'middle.yaml');
    const { account } = await serve('extends: ./middle.yaml\ncustomers: [{ name: C }]');
    expect(account.customers.list().map(({ name }) => name)).toEqual(['A', 'Bee', 'C']);
  });
});

describe('generated records', () => {
  const meters = '[{ id: m1, dailyUsage: 100 }]';
  const generate = (members: string) => serve(`seed: 11\ngenerate: { ${members} }`);
  const before = `customers: 3, contractsPerCustomer: 1, eventsPerCustomer: 2, meters: ${meters}`;

  test.each([
    ['customers', before.replace('customers: 3', 'customers: 4')],
    ['contracts', before.replace('contractsPerCustomer: 1', 'contractsPerCustomer: 3')],
    ['events', before.replace('eventsPerCustomer: 2', 'eventsPerCustomer: 5')],
    ['meters', before.replace(meters, '[{ id: m0, dailyUsage: 1 }, { id: m1, dailyUsage: 100 }]')],
  ])('stay what they are when there are more %s', async (_what, members) => {
    const few = (await generate(before)).account;
    const more = (await generate(members)).account;
    for (const name of ['customers', 'contracts', 'measurements', 'events'] as const) {
      expect(few[name].list().length).toBeGreaterThan(0);
      for (const record of few[name].list()) expect(more[name].get(record.id)).toEqual(record);
    }
  });

  test('have the same bytes everywhere and for ever', async () => {
    const { account } = await generate(
      `${before.replace('contractsPerCustomer: 1', 'contractsPerCustomer: 3')}, from: 2026-02-10, to: 2026-06-20`,
    );
    const hashes = (['customers', 'contracts', 'measurements', 'events'] as const).map((name) => {
      const text = JSON.stringify(account[name].list());
      return `${name} ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    });
    // A changed hash means changed data, on which users' tests may depend.
    expect(hashes).toEqual([
      'customers 67198c427cb67fa8',
      'contracts 90d72ac4b97198b4',
      'measurements d6b3ecfc8585b77a',
      'events 3270c6394aa02d31',
    ]);
  });

  test('of contracts begin a year before those of measurements, each where the last has ended', async () => {
    const { account } = await generate(
      'customers: 1, contractsPerCustomer: 3, from: 2026-02-10, to: 2032-12-31',
    );
    const [first, second, third] = account.contracts.list();
    expect(first?.startDate).toBe('2025-02-01T00:00:00.000Z');
    for (const [one, next] of [
      [first, second],
      [second, third],
    ]) {
      expect(Date.parse(next?.startDate ?? '')).toBe(Date.parse(one?.endDate ?? '') + 1);
    }
  });

  test('of contracts leave out those that would start after the last day', async () => {
    const most = 'customers: 5, contractsPerCustomer: 1000, from: 2026-02-10, to: 2032-12-31';
    const starts = (await generate(most)).account.contracts.list().map((one) => one.startDate);
    expect(starts.length).toBeGreaterThan(5);
    expect(starts.filter((start = '') => start > '2033')).toEqual([]);
  });

  test('have no gaps when told so, and a share of them otherwise', async () => {
    const days = 90;
    const whole = await generate(`customers: 3, meters: ${meters}, gaps: 0`);
    const half = await generate(`customers: 3, meters: ${meters}, gaps: 0.5`);
    expect(whole.account.measurements.list()).toHaveLength(3 * days);
    expect(half.account.measurements.list().length).toBeGreaterThan(3 * days * 0.35);
    expect(half.account.measurements.list().length).toBeLessThan(3 * days * 0.65);
  });
});

describe('the JSON Schema for fixtures', () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(JSON.parse(readFileSync('fixtures/fixture.schema.json', 'utf8')));

  test.each(['default', 'empty', 'edge-cases', 'large'])('takes the dataset %s', (name) => {
    isValid(parse(readFileSync(`fixtures/${name}.yaml`, 'utf8')));
    expect(isValid.errors).toBe(null);
  });

  test.each([
    'custumers: []',
    'customers: [{ nmae: A }]',
    'contracts: [{ products: [{ pricing: { price: free } }] }]',
    'generate: { from: tomorrow }',
    'accounts: { "two words": {} }',
    'generate: { from: "1960-01-01" }',
    'contracts: [{ startDate: "2026-02-28 00:00:00Z" }]',
    'contracts: [{ startDate: "2026-12-31T23:59:60Z" }]',
    'contracts: [{ startDate: "2026-12-31t23:59:00z" }]',
  ])('refuses %s, as the start does', async (text) => {
    expect(isValid(parse(text))).toBe(false);
    await expect(createMockServer({ dataset: writeFixture(text) })).rejects.toThrow(
      /expected|Unknown/,
    );
  });
});
