import { Collection } from '../../src/core/store/collection.js';
import { createBase, type Order, type Rows } from '../../src/core/store/shared-records.js';

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
