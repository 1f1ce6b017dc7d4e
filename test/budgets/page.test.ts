import { createBase, type Rows } from '../../src/billing/base.js';
import { Collection } from '../../src/billing/collection.js';
import type { Order } from '../../src/billing/order.js';

interface Numbered {
  readonly id: string;
}

const SIZE = 1_000_000;
const ORDER: Order<Numbered> = { name: 'id', positionOf: ({ id }) => [0, id] };

/** A million records that exist only while they are looked at, and how often they were. */
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
  ['the middle', '0500000'],
  ['the end', '0999900'],
])('a page at %s of a million records makes its records, and looks at few others', (_where, id) => {
  const { rows, touched } = countedRows();
  const collection = new Collection(createBase(rows, {}));
  collection.page(ORDER, undefined, 1);
  collection.remove('0999999');
  collection.page(ORDER, [0, id], 1);

  Object.assign(touched, { whole: 0, glances: 0 });
  expect(collection.page(ORDER, [0, id], 10)).toHaveLength(10);
  // Ten and the one that says whether more follow; the place is found by halving a million.
  expect(touched.whole).toBeLessThanOrEqual(11);
  expect(touched.glances).toBeLessThanOrEqual(25);
});
