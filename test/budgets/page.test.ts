import { Collection, SharedCollection } from '../../src/store/collection.js';
import { cacheRecords, createBase, type Order, type Rows } from '../../src/store/shared-records.js';

interface Numbered {
  readonly id: string;
}

const SIZE = 100_000;
const ORDER: Order<Numbered> = { name: 'id', positionOf: ({ id }) => [0, id] };

/** A hundred thousand records that are created when they are read, and how often they were read. */
function countedRows() {
  const touched = { whole: 0, glances: 0 };
  const recordOf = (row: number) => ({ id: String(row).padStart(7, '0') });
  const rows: Rows<Numbered> = {
    size: SIZE,
    rowOf: (id) => (Number(id) < SIZE ? Number(id) : undefined),
    recordAt(row) {
      touched.whole += 1;
      return recordOf(row);
    },
    peekAt(row) {
      touched.glances += 1;
      return recordOf(row);
    },
  };
  return { rows, touched };
}

test.each([
  ['the start', '0000000'],
  ['the middle', '0050000'],
  ['the end', '0099900'],
])(
  'a page at %s of a hundred thousand records makes its records, and looks at few others',
  (_where, id) => {
    const { rows, touched } = countedRows();
    const collection = new Collection(createBase(rows, {}));
    collection.page(ORDER, undefined, 1);
    collection.remove('0099999');
    collection.page(ORDER, [0, id], 1);

    Object.assign(touched, { whole: 0, glances: 0 });
    expect(collection.page(ORDER, [0, id], 10).records).toHaveLength(10);
    // Ten, one that shows whether more follow, and a binary search among a hundred thousand.
    expect(touched.whole).toBeLessThanOrEqual(11);
    expect(touched.glances).toBeLessThanOrEqual(25);
  },
);

test('a page that was read twice, by whatever accounts, makes no record anew', () => {
  const { rows, touched } = countedRows();
  const base = createBase(cacheRecords(rows), {});
  const first = new Collection(base).page(ORDER, [0, '0050000'], 1_000);
  expect(new Collection(base).page(ORDER, [0, '0050000'], 1_000)).toEqual(first);
  expect(touched.whole).toBeGreaterThanOrEqual(2_000);

  touched.whole = 0;
  expect(new Collection(base).page(ORDER, [0, '0050000'], 1_000)).toEqual(first);
  expect(touched.whole).toBe(0);
});

test('a page that is read again is kept for all accounts, until many others are read', () => {
  const { rows } = countedRows();
  const shared = new SharedCollection(createBase(rows, {}));
  const read = (id: string) => new Collection(shared).page(ORDER, [0, id], 1_000);
  expect(read('0050000')).not.toBe(read('0050000'));
  const kept = read('0050000');
  expect(read('0050000')).toBe(kept);
  expect(Object.isFrozen(kept.records)).toBe(true);
  for (let start = 0; start < 20_000; start += 1_000) read(String(start).padStart(7, '0'));
  expect(read('0050000')).not.toBe(kept);
  expect(read('0050000')).toEqual(kept);

  // Anybody can send any number of cursors with long ids.
  const long = 'x'.repeat(1_000);
  read(long);
  expect(read(long)).not.toBe(read(long));
});

test('rows that share a slot are told apart', () => {
  const { rows } = countedRows();
  const { recordAt } = cacheRecords(rows);
  for (const row of [7, 7, 7, 7 + 2 ** 14, 7, 7, 7 + 2 ** 15, 7 + 2 ** 15, SIZE - 1]) {
    expect(recordAt(row)).toEqual(rows.recordAt(row));
  }
});

test('a deletion makes no record anew', () => {
  const { rows, touched } = countedRows();
  const collection = new Collection(createBase(rows, {}));
  const record = collection.get('0000007') as Numbered;
  touched.whole = 0;
  expect(collection.update(record, { deletedAt: 'now' } as Partial<Numbered>)).toEqual({
    id: '0000007',
    deletedAt: 'now',
  });
  expect(touched.whole).toBe(0);
});

test('that all records are gone is one fact, for a snapshot and the way back too', () => {
  const { rows, touched } = countedRows();
  const collection = new Collection(createBase(rows, {}));
  const before = collection.snapshot();
  collection.clear();
  collection.put({ id: 'alone' });
  const alone = collection.snapshot();
  collection.restore(before);
  expect(collection.size).toBe(SIZE);
  collection.restore(alone);
  expect([...collection]).toEqual([{ id: 'alone' }]);
  expect(collection.page(ORDER, undefined, 10).records).toEqual([{ id: 'alone' }]);
  expect(collection.get('0000007')).toBeUndefined();
  expect(touched).toEqual({ whole: 0, glances: 0 });
});

test('a snapshot of many changes and the way back look at none of them', () => {
  const { rows, touched } = countedRows();
  const collection = new Collection(createBase(rows, {}));
  for (let row = 0; row < 1_000; row += 1) collection.remove(String(row).padStart(7, '0'));
  Object.assign(touched, { whole: 0, glances: 0 });
  const saved = collection.snapshot();
  collection.restore(saved);
  expect(collection.size).toBe(SIZE - 1_000);
  collection.put({ id: '0000007' });
  expect(collection.size).toBe(SIZE - 999);
  collection.restore(saved);
  expect(collection.size).toBe(SIZE - 1_000);
  // The record that was put back is read once.
  expect(touched.whole).toBeLessThanOrEqual(1);
});
