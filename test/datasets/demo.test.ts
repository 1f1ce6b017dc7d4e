import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { createMockServer, type MockServer } from '../../src/index.js';
import { newFolder, writeFixture } from '../support/fixture.js';

const RESOURCES = ['customers', 'contracts', 'measurements', 'events'] as const;
const CALLS = '6fa000000000000000000001';
const STORED = '6fa000000000000000000002';
const DAY_MS = 86_400_000;

function hashOf(server: MockServer): string {
  const account = server.account('fresh');
  const records = RESOURCES.map((resource) => account[resource].list());
  return createHash('sha256').update(JSON.stringify(records)).digest('hex');
}

async function on<Result>(instant: string, act: () => Promise<Result>): Promise<Result> {
  jest.useFakeTimers({ now: new Date(instant), doNotFake: ['nextTick'] });
  try {
    return await act();
  } finally {
    jest.useRealTimers();
  }
}

describe('the dataset demo', () => {
  test('has the same bytes on every day with `now`, and its clocks stand still', async () => {
    const options = { dataset: 'demo', now: '2026-11-22' };
    const server = await createMockServer(options);
    const later = await on('2031-07-04T03:02:01Z', () => createMockServer(options));
    expect(hashOf(later)).toBe(hashOf(server));
    const { clock } = server.account('t');
    clock.advance(5_000);
    expect(clock.now().toISOString()).toBe('2026-11-22T00:00:05.000Z');
    server.account('t').reset();
    expect([clock.isFrozen, clock.now().toISOString()]).toEqual([true, '2026-11-22T00:00:00.000Z']);
  });

  test('ends yesterday, whatever the day is, and nothing of it was created later', async () => {
    const server = await on('2031-07-04T03:02:01Z', () => createMockServer({ dataset: 'demo' }));
    const account = server.account('t');
    const days = account.measurements.list().map(({ usageDate }) => {
      const { year = 0, month = 0, day = 0 } = usageDate ?? {};
      return Date.UTC(year, month - 1, day);
    });
    const last = Date.UTC(2031, 6, 3);
    expect(days.reduce((one, other) => Math.max(one, other))).toBe(last);
    expect(days.reduce((one, other) => Math.min(one, other))).toBe(last - 729 * DAY_MS);
    const created = RESOURCES.flatMap((name) =>
      account[name].list().flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt ?? '']),
    );
    expect(created.filter((instant) => instant >= '2031-07-04')).toEqual([]);
  });

  test('has the customers of the default dataset, each with a contract and usage', async () => {
    const account = (await createMockServer({ dataset: 'demo' })).account('t');
    const usual = (await createMockServer()).account('t');
    for (const { id, name } of usual.customers.list().slice(0, 5)) {
      expect(account.customers.get(id)?.name).toBe(name);
      expect(account.contracts.list().some(({ customerId }) => customerId === id)).toBe(true);
      expect(account.measurements.list().some(({ customerId }) => customerId === id)).toBe(true);
    }
  });

  test('has a launch, an outlier, an outage, and a customer who leaves', async () => {
    const server = await createMockServer({ dataset: 'demo', now: '2026-11-22' });
    const all = server.account('t').measurements.list();
    const usage = (customer: number, day: string, meter = CALLS) =>
      all.find(
        ({ customerId, meterId, usageDate: { year, month, day: of } = {} }) =>
          customerId === `65a00000000000000000000${customer}` &&
          meterId === meter &&
          `${year}-${month}-${of}` === day,
      )?.value;
    expect(usage(1, '2026-11-10')).toBeGreaterThan(3 * (usage(1, '2026-11-12') ?? 0));
    expect(usage(2, '2026-10-8')).toBeLessThan((usage(2, '2026-10-6') ?? 0) / 5);
    expect([usage(3, '2026-7-24'), usage(3, '2026-7-25')]).toEqual([expect.any(Number), undefined]);
    expect([usage(5, '2025-10-17'), usage(5, '2025-10-18')]).toEqual([
      undefined,
      expect.any(Number),
    ]);
    expect(usage(1, '2026-11-21', STORED)).toBeGreaterThan(usage(1, '2026-11-20', STORED) ?? 0);
  });
});

describe('a relative date in a fixture', () => {
  const FIXTURE = [
    'customers:',
    '  - { id: c1, name: today, aliases: [a1], createdAt: "-30d" }',
    'contracts:',
    '  - { id: k1, customerId: c1, startDate: today, endDate: "+364dT23:59:59.999Z" }',
    'measurements:',
    '  - { id: m1, customerId: c1, usageDate: "-1d", value: 1, createdAt: "-1dT12:00:00.000Z" }',
    'events:',
    '  - { id: e1, customerAlias: a1, timestamp: "-2d", data: { from: today } }',
  ].join('\n');

  test('stands wherever a date does, and nowhere else', async () => {
    const server = await createMockServer({
      dataset: writeFixture(FIXTURE),
      now: '2028-03-01T23:30:00.000-02:00',
    });
    const { customers, contracts, measurements, events } = server.account('t');
    expect(customers.get('c1')).toMatchObject({
      name: 'today',
      createdAt: '2028-02-01T00:00:00.000Z',
    });
    expect(contracts.get('k1')).toMatchObject({
      startDate: '2028-03-02T00:00:00.000Z',
      endDate: '2029-03-01T23:59:59.999Z',
    });
    expect(measurements.get('m1')).toMatchObject({
      usageDate: { year: 2028, month: 3, day: 1 },
      createdAt: '2028-03-01T12:00:00.000Z',
    });
    expect(events.get('e1')).toMatchObject({
      timestamp: '2028-02-29T00:00:00.000Z',
      data: { from: 'today' },
    });
  });

  test.each([
    [
      'yesterday',
      'contracts: [{ customerId: c1, startDate: yesterday }]',
      "'contracts/0/startDate'",
    ],
    ['a time that is none', 'contracts: [{ startDate: "-1dT25:00" }]', "'contracts/0/startDate'"],
    ['a time of a usage date', 'measurements: [{ usageDate: "-1dT10:00:00Z" }]', 'usageDate'],
    ['too far', 'generate: { from: "-99999d" }', "'generate/from'"],
  ])('is refused with its place if it is %s', async (_words, fixture, place) => {
    await expect(createMockServer({ dataset: writeFixture(fixture) })).rejects.toThrow(place);
  });

  test('in `extends` and after `--now` is seen from the same day', async () => {
    const dataset = writeFixture('extends: demo\ngenerate: { from: "-3d", to: today }');
    const server = await createMockServer({ dataset, now: '2026-11-22' });
    const days = server
      .account('t')
      .measurements.list()
      .map(({ usageDate }) => usageDate?.day);
    expect(new Set(days)).toEqual(new Set([19, 20, 21, 22]));
  });

  test('stays where it was while a state file continues, and moves on without one', async () => {
    const dataset = writeFixture(FIXTURE);
    const options = { dataset, stateFile: join(newFolder(), 'state.json') };
    const first = await on('2031-07-04T03:02:01Z', () => createMockServer(options));
    first.account('t').customers.put({ id: 'c2', name: 'Mine' });
    await first.stop();
    const second = await on('2031-07-09T03:02:01Z', () => createMockServer(options));
    expect(second.account('t').customers.get('c2')?.name).toBe('Mine');
    const dayOf = ({ dataset: { events } }: MockServer) =>
      events.get('e1')?.timestamp?.slice(0, 10);
    const anew = await on('2031-07-09T03:02:01Z', () => createMockServer({ dataset }));
    expect([second, anew].map(dayOf)).toEqual(['2031-07-02', '2031-07-07']);
  });

  test.each(['tomorrow', '2026-02-30', '2026-11-22T10:00'])('`now` may not be %s', async (now) => {
    const expected = 'a day or an instant, such as 2026-11-22 or 2026-11-22T09:30:00.000Z';
    await expect(createMockServer({ now })).rejects.toThrow(expected);
  });
});
