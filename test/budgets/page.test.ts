import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { AccountStore } from '../../src/core/billing/account-store.js';
import { createDataset } from '../../src/core/datasets/dataset.js';
import { PREGENERATED_ONLY } from '../../src/core/datasets/generate/pregenerated-or-faker.js';
import { Base } from '../../src/core/store/base.js';
import { Collection } from '../../src/core/store/collection.js';
import type { Order } from '../../src/core/store/order.js';

interface Numbered {
  readonly id: string;
}

const SIZE = 100_000;
const idOf = (nth: number) => String(nth).padStart(7, '0');

/** A hundred thousand records, and how often they were made, and looked at for their order. */
function countedBase() {
  const counted = { made: 0, looks: 0 };
  const order: Order<Numbered> = {
    name: 'id',
    positionOf({ id }) {
      counted.looks += 1;
      return [0, id];
    },
  };
  const base = new Base<Numbered>({}, () => {
    counted.made += 1;
    return new Map(Array.from({ length: SIZE }, (_, nth) => [idOf(nth), { id: idOf(nth) }]));
  });
  return { base, order, counted };
}

test.each([
  ['the start', '0000000'],
  ['the middle', '0050000'],
  ['the end', '0099900'],
])('a page at %s of a hundred thousand records looks at few of them', (_where, id) => {
  const { base, order, counted } = countedBase();
  const collection = new Collection(base);
  collection.page(order, undefined, 1);
  collection.remove('0099999');
  collection.page(order, [0, id], 1);

  counted.looks = 0;
  expect(collection.page(order, [0, id], 10).records).toHaveLength(10);
  // A binary search among a hundred thousand.
  expect(counted.looks).toBeLessThanOrEqual(20);
  expect(counted.made).toBe(1);
});

test('many accounts over one dataset share its records, and make them when one is read', () => {
  const { base, counted } = countedBase();
  const collections = Array.from({ length: 1_000 }, () => new Collection(base));
  const saved = collections.map((collection) => collection.snapshot());
  for (const [nth, collection] of collections.entries()) collection.restore(saved[nth]);
  expect(counted.made).toBe(0);
  const [first, ...others] = collections.map((collection) => collection.get('0000007'));
  expect(others.every((other) => other === first)).toBe(true);
  expect(counted.made).toBe(1);
});

test('the large dataset is counted and summed up without its records', () => {
  const fixture = parse(readFileSync('fixtures/large.yaml', 'utf8'));
  const source = { layers: [fixture], seed: fixture.seed, name: 'large' };
  // Its customers and contracts cannot be made by this generator.
  const dataset = createDataset(source, { all: [], exact: [], generated: [] }, PREGENERATED_ONLY);
  const store = new AccountStore(dataset);
  const sizes = { customers: 1_000, contracts: 1_000, measurements: 100_000, events: 10_000 };
  expect(store.sizes).toEqual(sizes);
  expect(store.fingerprint()).toMatch(/^[0-9a-f]{32}$/);
  expect(() => store.contracts.get('')).toThrow('Faker is needed');
});

test('a fingerprint looks once at every record, and then once at those that have changed', () => {
  let looks = 0;
  const look = () => {
    looks += 1;
    return 'seen';
  };
  const counted = (nth: number) =>
    Object.defineProperty({ id: idOf(nth) }, 'name', {
      enumerable: true,
      get: look,
    });
  const records = Array.from({ length: 100 }, (_, nth) => counted(nth));
  const base = new Base<Numbered>({}, () => new Map(records.map((record) => [record.id, record])));
  const collection = new Collection(base);
  const looksAtSum = () => {
    looks = 0;
    expect(collection.sum).toHaveLength(4);
    return looks;
  };
  expect([looksAtSum(), looksAtSum()]).toEqual([100, 0]);
  collection.put(counted(100));
  collection.remove(idOf(7));
  expect([looksAtSum(), looksAtSum()]).toEqual([2, 0]);
  collection.restore(collection.snapshot());
  expect(looksAtSum()).toBe(0);
});

test('that all records are gone is one fact, for a snapshot and the way back too', () => {
  const { base, order } = countedBase();
  const collection = new Collection(base);
  const before = collection.snapshot();
  collection.clear();
  collection.put({ id: 'alone' });
  const alone = collection.snapshot();
  expect(alone?.count).toBe(1);
  collection.restore(before);
  expect(collection.size).toBe(SIZE);
  collection.restore(alone);
  expect([...collection]).toEqual([{ id: 'alone' }]);
  expect(collection.page(order, undefined, 10).records).toEqual([{ id: 'alone' }]);
  expect(collection.get('0000007')).toBeUndefined();
});

test('a snapshot of many changes and the way back look at none of them', () => {
  const { base, counted } = countedBase();
  const collection = new Collection(base);
  for (let nth = 0; nth < 1_000; nth += 1) collection.remove(idOf(nth));
  const saved = collection.snapshot();
  collection.restore(saved);
  expect(collection.snapshot()).toBe(saved);
  collection.put({ id: '0000007' });
  expect(collection.size).toBe(SIZE - 999);
  collection.restore(saved);
  expect(collection.size).toBe(SIZE - 1_000);
  expect(counted.looks).toBe(0);
});

test('a change and a page look at few of ten thousand records that were changed before', () => {
  const { base, order, counted } = countedBase();
  const collection = new Collection(base);
  for (let nth = 0; nth < 10_000; nth += 1) collection.put({ id: `own-${idOf(nth)}` });
  collection.page(order, undefined, 10);
  collection.countUpTo(order, [0, 'own']);
  const looksAt = (nth: number) => {
    counted.looks = 0;
    collection.put({ id: `later-${idOf(nth)}` });
    collection.remove(`own-${idOf(nth)}`);
    collection.remove(idOf(nth));
    expect(collection.page(order, [0, 'm'], 10).records[0]?.id).toMatch(/^own-/);
    expect(collection.countUpTo(order, [0, 'm'])).toBe(SIZE);
    return counted.looks;
  };
  for (let nth = 0; nth < 100; nth += 1) expect(looksAt(nth)).toBeLessThan(200);

  // A snapshot shares the changes, so that the next change copies them, and only that one.
  collection.snapshot();
  expect(looksAt(100)).toBeGreaterThan(10_000);
  for (let nth = 101; nth < 200; nth += 1) expect(looksAt(nth)).toBeLessThan(200);
  const sorted = [...collection].map(({ id }) => id).sort();
  expect(collection.page(order, undefined, 200_000).records.map(({ id }) => id)).toEqual(sorted);
});

test('a deletion stores neither a record nor its place', () => {
  const { base, order, counted } = countedBase();
  const collection = new Collection(base);
  const record = collection.get('0000007') as Numbered;
  const deletion = { deletedAt: 'now' };
  expect(collection.softDelete(record, deletion)).toEqual({ id: '0000007', deletedAt: 'now' });
  expect(collection.snapshot()?.byId.get('0000007')).toEqual({ record, deletion, number: 0 });
  expect(collection.snapshot()?.byId.get('0000007')?.record).toBe(record);
  expect(collection.page(order, [0, '0000006'], 1).records).toEqual([
    { id: '0000007', deletedAt: 'now' },
  ]);
  expect([collection.size, collection.deletions]).toEqual([SIZE, 1]);
  expect(counted.made).toBe(1);
});
