import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { PREGENERATED } from '../../src/generated/pregenerated.js';
import { createMockServer, type MockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { writeFixture } from '../support/fixture.js';
import { codeIn, tableOf } from '../support/pages.js';

const RESOURCES = ['customers', 'contracts', 'measurements', 'events'] as const;

/** A hash of every record of a fresh account. */
function hashOf(server: MockServer): string {
  const account = server.account('fresh');
  const records = RESOURCES.map((resource) => account[resource].list());
  return createHash('sha256').update(JSON.stringify(records)).digest('hex');
}

const server = await createMockServer();
const { customers, contracts, measurements, events } = server.account('world');

describe('the default dataset', () => {
  test('has the records that docs/fixtures.md lists', async () => {
    const rows = tableOf('docs/fixtures.md', 'customer');
    expect(rows.map(([name]) => name)).toContain('Acme Corporation');
    for (const [name, ...cells] of rows) {
      const [id = '', contractId, ref] = cells.flatMap(codeIn);
      const client = clientOf(server, `token-${id}`);
      expect((await client.get(`/customers/${id}`)).body.customer).toMatchObject({ id, name });
      const { contract } = (await client.delete(`/contracts/${contractId}`)).body;
      expect(contract).toMatchObject({ id: contractId, customerId: id });
      if (ref === undefined) continue;
      const events: { ref: string }[] = (await client.deleteEvents([ref])).body.events;
      expect([...new Set(events.map((event) => event.ref))]).toEqual([ref]);
    }
  });

  test('has the same bytes on another day', async () => {
    jest.useFakeTimers({ now: new Date('2031-07-04T03:02:01Z'), doNotFake: ['nextTick'] });
    const later = await createMockServer();
    jest.useRealTimers();
    expect(hashOf(later)).toBe(hashOf(server));
  });

  test('has other bytes under another seed, and the same hand-written records', async () => {
    const other = await createMockServer({ seed: 2 });
    expect(hashOf(other)).not.toBe(hashOf(server));
    const acme = other.account('t').customers.get('65a000000000000000000001');
    expect(acme).toEqual(customers.get('65a000000000000000000001'));
  });

  test('is one whose records the build has counted and summed up', () => {
    expect(PREGENERATED.known.has(server.dataset.fingerprint)).toBe(true);
  });

  test('has the number and fingerprint of its records, known by the build or not', async () => {
    // The same records, but of another dataset.
    const extended = await createMockServer({ dataset: writeFixture('extends: default') });
    expect(extended.dataset.fingerprint).not.toBe(server.dataset.fingerprint);
    expect(server.account('same').fingerprint()).toBe(extended.account('same').fingerprint());
    for (const name of RESOURCES)
      expect(server.dataset[name].size).toBe(extended.dataset[name].size);
  });

  test('has records that nobody can change, written and generated ones', () => {
    for (const name of RESOURCES) {
      for (const record of server.dataset[name]) {
        const values = [record, ...Object.values(record)];
        expect(values.every((value) => Object.isFrozen(value))).toBe(true);
      }
    }
  });

  test('has 25 customers', () => {
    expect(customers.list()).toHaveLength(25);
  });

  test('has customers that are older than their contracts, and contracts signed before they start', () => {
    for (const { customerId = '', createdAt, startDate = '' } of contracts.list()) {
      expect((customers.get(customerId)?.createdAt ?? '') < createdAt).toBe(true);
      expect(createdAt < startDate).toBe(true);
    }
  });

  test('has a contract and usage of every meter for each hand-written customer', () => {
    const handWritten = customers.list().filter(({ id }) => id.startsWith('65a0'));
    for (const { id } of handWritten) {
      expect(contracts.list().some(({ customerId }) => customerId === id)).toBe(true);
      const meters = measurements.list().filter(({ customerId }) => customerId === id);
      expect(new Set(meters.map(({ meterId }) => meterId)).size).toBe(3);
    }
    expect(handWritten).toHaveLength(5);
  });

  test('has nothing that was created or changed after its last day', () => {
    const stamps = RESOURCES.flatMap((name) =>
      server
        .account('world')
        [name].list()
        .flatMap(({ createdAt, updatedAt = '' }) => [createdAt, updatedAt]),
    );
    expect(stamps.filter((stamp) => stamp >= '2026-04-01')).toEqual([]);
  });

  test('stores more gigabytes every day, and changes seats on the first of a month alone', () => {
    const last = new Map<string, number>();
    const odd: string[] = [];
    for (const { customerId, meterId = '', usageDate, value = 0 } of measurements.list()) {
      if (meterId === '6fa000000000000000000001' || usageDate?.year === 2025) continue;
      const { month = 0, day = 0 } = usageDate ?? {};
      const isSeats = meterId === '6fa000000000000000000003';
      const key = `${customerId} ${meterId} ${isSeats ? month : ''}`;
      const before = last.get(key) ?? value;
      if (value < before || (isSeats && value !== before)) odd.push(`${key} ${day}`);
      last.set(key, value);
    }
    expect(odd).toEqual([]);
  });

  test('has names that no two customers share, and numbers that nobody has', () => {
    const names = customers.list().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const phones = customers
      .list()
      .flatMap(({ contacts = [] }) => contacts.map((one) => one.phone));
    // Reserved for fiction in North America and Germany.
    for (const phone of phones)
      expect(phone).toMatch(/^\+(1\d{3}55501\d\d|494066969\d{3}|49171392\d{4})$/);
  });

  test('names each product and each class of them by one id', () => {
    const products = contracts.list().flatMap((contract) => contract.products ?? []);
    const pairs = products.flatMap(({ nsClass, nsClassId, catalogProductId, ...product }) => [
      [`class ${nsClass}`, nsClassId],
      [`product ${product.displayName}: ${product.description}`, catalogProductId],
    ]);
    const distinct = new Set(pairs.map((pair) => pair.join(' = ')));
    expect(distinct.size).toBe(new Set(pairs.map(([name]) => name)).size);
    expect(distinct.size).toBe(new Set(pairs.map(([, id]) => id)).size);
  });

  test('hangs together: contracts and measurements belong to customers, events to aliases', () => {
    const ids = new Set(customers.list().map(({ id }) => id));
    const aliases = new Set(customers.list().flatMap((customer) => customer.aliases ?? []));
    const owned = [...contracts.list(), ...measurements.list()];
    expect(owned.filter(({ customerId = '' }) => !ids.has(customerId))).toEqual([]);
    expect(events.list().filter(({ customerAlias = '' }) => !aliases.has(customerAlias))).toEqual(
      [],
    );
  });

  test('has contracts that end after they start, and no two of a customer overlap', () => {
    for (const { id } of customers.list()) {
      const own = contracts.list().filter(({ customerId }) => customerId === id);
      const spans = own
        .map(({ startDate = '', endDate = '' }) => ({ startDate, endDate }))
        .sort((one, other) => one.startDate.localeCompare(other.startDate));
      for (const [index, { startDate, endDate }] of spans.entries()) {
        expect(startDate < endDate).toBe(true);
        expect(startDate > (spans[index - 1]?.endDate ?? '')).toBe(true);
      }
    }
  });

  test('calls less at weekends, grows, and has gaps, as real usage does', () => {
    const apiCalls = measurements
      .list()
      .filter(({ meterId }) => meterId === '6fa000000000000000000001')
      .map(({ usageDate, value = 0 }) => {
        const { year = 0, month = 0, day = 0 } = usageDate ?? {};
        return { date: new Date(Date.UTC(year, month - 1, day)), value };
      });
    const mean = (isIncluded: (date: Date) => boolean) => {
      const values = apiCalls.filter(({ date }) => isIncluded(date)).map(({ value }) => value);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    const isWeekend = (date: Date) => date.getUTCDay() % 6 === 0;
    expect(mean(isWeekend)).toBeLessThan(mean((date) => !isWeekend(date)) / 2);
    expect(mean((date) => date.getUTCMonth() === 2)).toBeGreaterThan(
      mean((date) => date.getUTCMonth() === 0),
    );
    const slots = 25 * 90;
    expect(apiCalls.length).toBeLessThan(slots);
    expect(apiCalls.length).toBeGreaterThan(slots * 0.9);
  });

  test('looks as strict clients expect: ids, timestamps, phones and known values', () => {
    const text = JSON.stringify(RESOURCES.map((name) => server.account('world')[name].list()));
    expect(text).not.toContain('null');
    const valuesOf = (names: string) =>
      Array.from(text.matchAll(RegExp(`"(?:${names})":"([^"]+)"`, 'g')), ([, value = '']) => value);
    const forms: [names: string, form: RegExp][] = [
      ['id|customerId|meterId|catalogProductId', /^[0-9a-f]{24}$/],
      [String.raw`\w+At|startDate|endDate|timestamp`, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
      ['phone', /^\+\d+$/],
      ['source', /^(?:Api|Stripe|Salesforce|HubSpot)$/],
      ['unit|type', /^(?:MONTH|ONE_TIME)$/],
    ];
    for (const [names, form] of forms) {
      expect(valuesOf(names)).not.toHaveLength(0);
      expect(valuesOf(names).filter((value) => !form.test(value))).toEqual([]);
    }
  });

  test('gives every id once', () => {
    const ids = RESOURCES.flatMap((name) => server.account('world')[name].list()).map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});
