import fc from 'fast-check';
import { stringify } from 'yaml';
import { type AccountControl, createMockServer, type FixtureOptions } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { writeFixture } from '../support/fixture.js';

const ACME = '65a000000000000000000001';
const CONTRACT = '65b000000000000000000001';

/** An account of a server over a dataset. */
async function open(dataset = 'default') {
  const server = await createMockServer({ dataset });
  return { server, account: server.account('t') };
}

/** An account of a server over the saved fixture. */
async function load(fixture: object, name?: string): Promise<AccountControl> {
  return (await open(writeFixture(stringify(fixture), name))).account;
}

/** A situation with every kind of change. */
function arrange(account: AccountControl): void {
  account.customers.put({ id: 'c1', name: 'Initech', aliases: ['initech'], externalId: 'crm-77' });
  account.customers.patch(ACME, { name: 'Acme renamed' });
  account.contracts.remove(CONTRACT);
  account.contracts.put({ id: 'k1', customerId: 'nobody', accountManager: 'Jane Roe' });
  const [measurement] = account.measurements.list();
  account.measurements.remove(measurement?.id ?? '');
  account.measurements.put({ id: 'm1', customerId: 'c1', meterId: 'meter', value: 7 });
  account.events.put({ id: 'e1', customerAlias: 'initech', ref: 'r1', data: { region: 'us' } });
}

describe('an account saved as a fixture', () => {
  test.each<[string, FixtureOptions]>([
    ['its changes over its dataset', {}],
    ['every record', { whole: true }],
  ])('has the same records when it is loaded: %s', async (_what, options) => {
    const { account } = await open();
    arrange(account);
    const fixture = account.fixture({ ...options, keepNames: true });
    expect((await load(fixture)).fingerprint()).toBe(account.fingerprint());
  });

  test('has no member that a record has as undefined', async () => {
    const { account } = await open();
    account.customers.put({ id: 'c1', address: Object({ city: undefined, country: 'IT' }) });
    const [saved] = account.fixture().customers ?? [];
    expect(JSON.parse(JSON.stringify(saved)).address).not.toHaveProperty('city');
  });

  test('extends its dataset with what was changed, and with the seed', async () => {
    const { account, server } = await open();
    account.customers.put({ id: 'c1', name: 'Initech' });
    account.contracts.remove(CONTRACT);
    expect(account.fixture({ keepNames: true })).toEqual({
      extends: 'default',
      seed: server.dataset.seed,
      format: 1,
      exact: true,
      removed: { contracts: [CONTRACT] },
      customers: [expect.objectContaining({ id: 'c1', name: 'Initech' })],
    });
  });

  test('extends the file of a dataset that has no name', async () => {
    const file = writeFixture(
      '{ customers: [{ id: a }], generate: { meters: [{ id: m, dailyUsage: 1 }] } }',
    );
    const { account } = await open(file);
    account.customers.put({ id: 'b' });
    const fixture = account.fixture();
    expect(fixture.extends).toBe(file);
    expect((await load(fixture)).fingerprint()).toBe(account.fingerprint());
  });

  test('can be changed and saved again', async () => {
    const { account } = await open();
    arrange(account);
    const again = await load(account.fixture({ keepNames: true }));
    again.customers.remove('c1');
    again.contracts.put({ id: CONTRACT, name: 'back' });
    expect((await load(again.fixture({ keepNames: true }))).fingerprint()).toBe(
      again.fingerprint(),
    );
  });

  test('is anonymous, but for what the dataset has too', async () => {
    const { account } = await open();
    arrange(account);
    account.events.put({ id: 'e2', customerAlias: 'acme', name: 'login' });
    const fixture = account.fixture({ key: 'k' });
    const text = JSON.stringify(fixture);
    expect(text).not.toMatch(/initech|renamed|Jane Roe|crm-77|login|region/i);
    const [acme] = (fixture.customers ?? []).filter(({ id }) => id === ACME);
    expect(acme).toMatchObject({ aliases: expect.arrayContaining(['acme']) });
    expect(fixture.events).toContainEqual(expect.objectContaining({ customerAlias: 'acme' }));
    const [initech] = (fixture.customers ?? []).filter(({ id }) => id === 'c1');
    const alias = initech?.aliases?.[0];
    expect(fixture.events).toContainEqual(expect.objectContaining({ customerAlias: alias }));
    await load(fixture);
  });

  test('invents the same under the same key, and something else under another', async () => {
    const { account } = await open();
    arrange(account);
    const save = (key?: string) => JSON.stringify(account.fixture({ key }));
    expect(save('one')).toBe(save('one'));
    expect(save('one')).not.toBe(save('other'));
    expect(save()).not.toBe(save());
  });

  test('has other ids with newIds, and still belongs together', async () => {
    const { account } = await open();
    arrange(account);
    const { customers = [], measurements = [], ...fixture } = account.fixture({ newIds: true });
    expect(fixture.extends).toBeUndefined();
    expect(JSON.stringify(customers)).not.toContain(ACME);
    const ids = new Set(customers.map(({ id }) => id));
    expect(measurements.every(({ customerId }) => ids.has(customerId ?? ''))).toBe(true);
    expect(measurements).toHaveLength(account.measurements.list().length);
  });

  test('keeps the members that are named, with all in them, and nothing else', async () => {
    const { account } = await open('empty');
    account.customers.put({
      id: 'c1',
      name: 'Initech',
      address: { city: 'Austin', addressText: 'Main St 1' },
    });
    account.events.put({
      id: 'e1',
      name: 'login',
      data: { currency: 'EUR', user: 'robin', unit: 'GB' },
    });
    const keep = ['/customers/address/city', '/events/data/currency', '/events/data/unit'];
    const { customers, events } = account.fixture({ keep });
    expect(customers).toMatchObject([{ address: { city: 'Austin' } }]);
    expect(JSON.stringify(customers)).not.toMatch(/Initech|Main/);
    expect(events).toMatchObject([{ data: { currency: 'EUR', unit: 'GB' } }]);
    expect(JSON.stringify(events)).not.toMatch(/login|robin/);
  });

  test('has no meter and no product whose id looks like a person, a phone or a card', async () => {
    const { account } = await open('empty');
    const odd = [
      'jane@acme.example',
      'Jane Roe',
      '+491701234567',
      '(555)123-4567',
      ...['4111111111111111', '5500005555555559'],
    ];
    const usual = [
      ...['65a000000000000000000001', 'api-calls', '1234567890123', 'prod_2', '2026-01-31'],
      ...['12345678-9abc-4def-8123-456789abcdef', '1.2.3', '+1'],
    ];
    for (const [nth, meterId] of [...odd, ...usual].entries())
      account.measurements.put({ id: `m${nth}`, customerId: 'c1', meterId });
    account.contracts.put({ id: 'k1', products: [{ catalogProductId: 'jane@acme.example' }] });
    const { measurements = [], contracts = [] } = account.fixture({ key: 'k' });
    const meters = measurements.map(({ meterId }) => meterId);
    expect(meters.filter((id) => usual.includes(String(id)))).toEqual(usual);
    expect(meters.filter((id) => odd.includes(String(id)))).toEqual([]);
    expect(contracts[0]?.products?.[0]?.catalogProductId).toBe(meters[0]);
  });

  test('is refused in one sentence if a later version has saved it', async () => {
    const { account } = await open();
    arrange(account);
    const later = { ...account.fixture(), format: 2, invented: true };
    const sentence =
      /'format' is 2; expected 1\. A later version of usage-billing-mock has saved it: update this one\.$/i;
    await expect(load(later)).rejects.toThrow(sentence);
    expect(() => account.importState(later)).toThrow(sentence);
    await expect(load({ ...account.fixture(), format: 0 })).rejects.toThrow(/'format'/);
  });

  test('refuses options that there are not', async () => {
    const { account } = await open('empty');
    expect(() => account.fixture({ whoel: true } as object)).toThrow(
      /Unknown option 'whoel'\. Did you mean 'whole'/,
    );
    expect(() => account.fixture({ whole: 'yes' } as object)).toThrow(
      /'whole' is .*; expected true or false/,
    );
    for (const keep of [
      '/customers/name',
      ['customers.name'],
      ['/custmers/name'],
      ['/customers'],
    ]) {
      expect(() => account.fixture({ keep } as object)).toThrow(
        /'keep' is .*; expected a list, each a pointer such as \/customers\/address\/city/,
      );
    }
  });

  test('comes from the control plane too, in the same bytes', async () => {
    const { server, account } = await open();
    arrange(account);
    const { get } = clientOf(server, 't');
    const { status, body } = await get('/__control/fixture?key=k&whole=true');
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(account.fixture({ key: 'k', whole: true }))));
    expect((await get('/__control/fixture?whole=perhaps')).status).toBe(400);
  });
});

const texts = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.emailAddress());
const ids = fc.stringMatching(/^[0-9a-f]{1,24}$/);
const time = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
/** The members of a record in each collection, and those that stay when it is anonymised. */
const members = {
  customers: {
    name: texts,
    aliases: fc.array(texts, { maxLength: 3 }),
    contacts: fc.array(fc.record({ name: texts, phone: texts }), { maxLength: 2 }),
    externalId: texts,
  },
  contracts: { customerId: ids, name: texts, startDate: time, deletedAt: time },
  measurements: { customerId: ids, meterId: ids, value: fc.integer() },
  events: { ref: texts, timestamp: time, data: fc.dictionary(texts, texts) },
};
const KEPT = ['id', 'customerId', 'meterId', 'value', 'startDate', 'timestamp', 'deletedAt'];
const COLLECTIONS = ['customers', 'contracts', 'measurements', 'events'] as const;

interface Change {
  readonly name: (typeof COLLECTIONS)[number];
  readonly isRemoval: boolean;
  readonly record: object;
}

const changesOf = COLLECTIONS.map((name): fc.Arbitrary<Change> => {
  const others: Readonly<Record<string, fc.Arbitrary<unknown>>> = members[name];
  const record = fc
    .tuple(ids, fc.record(others, { requiredKeys: [] }))
    .map(([id, more]): object => ({ id, ...more }));
  return fc.record({ name: fc.constant(name), isRemoval: fc.boolean(), record });
});
const changes = fc.array(fc.oneof(...changesOf), { maxLength: 12 });

/** An account with these changes of its records; a removal is of one in the dataset. */
async function changed(dataset: string, some: readonly Change[]): Promise<AccountControl> {
  const { account } = await open(dataset);
  for (const [index, { name, isRemoval, record }] of some.entries()) {
    const { id } = account[name].list()[index] ?? {};
    if (isRemoval && id !== undefined) account[name].remove(id);
    else account[name].put(record as never);
  }
  return account;
}

describe('whatever an account has', () => {
  test('exported and loaded it is the same, but for what is anonymised', async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (some, whole) => {
        const account = await changed('edge-cases', some);
        const same = await load(account.fixture({ keepNames: true, whole }), 'property.yaml');
        expect(same.fingerprint()).toBe(account.fingerprint());
        const anonymous = await load(account.fixture({ whole }), 'property.yaml');
        const kept = (state: object) =>
          JSON.parse(JSON.stringify(state, [...COLLECTIONS, ...KEPT]));
        expect(kept(anonymous.exportState())).toEqual(kept(account.exportState()));
      }),
      { numRuns: 15 },
    );
  });

  test('anonymised twice it is anonymised once, whichever the second key is', async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (some, newIds) => {
        const account = await changed('empty', some);
        const once = account.fixture({ whole: true, newIds });
        const again = await load(once, 'property.yaml');
        expect(again.fixture({ whole: true, newIds })).toEqual(once);
      }),
      { numRuns: 15 },
    );
  });
});
