import {
  comparePositions,
  type DecisionValue,
  MEASUREMENT_ORDERS,
  type Measurement,
  type Position,
} from '#spec';
import { isObject } from '../../../core/values/json-value.js';
import { cut } from '../../../core/values/received-value.js';
import { listingOf, type Page, pagesOf } from '../seen/pages.js';
import { instantOf, type Members } from '../seen/samples.js';
import { areSortedBy, isSorted, type Observer, tell } from './observer.js';

type Value = DecisionValue<'measurement-order'>;

/** Compares runs of consecutive pages with the orders that the mock knows (section 4.4). */
export const measurementOrder: Observer<'measurement-order'> = {
  wanted: 'measurements in different orders by id, usageDate and createdAt',
  observe: (seen) => {
    const pages = pagesOf(seen);
    const { runs, leastSize, isMoving, isReordered } = listingOf(pages);
    const all = isMoving ? [...runs, ...pages.map((page) => [page])] : [...runs];
    // Fewer measurements are too often in some order by chance.
    const isFew = leastSize < 5 && 'there are fewer than 5 measurements';
    const lists = all.map(recordsIn);
    const rival = [...new Set(lists.flat().flatMap((record) => Object.keys(record)))].find(
      (name) => !KNOWN_KEYS.includes(name) && areSortedBy(name, lists),
    );
    const open =
      isFew ||
      (isReordered && 'measurements changed places meanwhile') ||
      (rival && `they are in the order of ${cut(rival, LONGEST)} too`) ||
      undefined;
    // The run with the most pages is the best evidence, and comes first.
    const sorted = all.sort((one, other) => other.length - one.length);
    return sorted.flatMap(observeRun).map((observation) => ({ ...observation, open }));
  },
};

const LONGEST = 60;
const KNOWN_KEYS = ['id', 'createdAt'];

function recordsIn(run: readonly Page[]): readonly Members[] {
  return run.flatMap(({ measurements }) => measurements);
}

/** Which records each order can sort, and how reports describe it. */
const ORDERS: Record<
  Value,
  { readonly has: (record: Members) => boolean; readonly field: string; readonly words: string }
> = {
  'usage-date': { has: hasUsageDate, field: 'usageDate', words: 'by usageDate, earliest first' },
  'newest-first': { has: hasUsageDate, field: 'usageDate', words: 'by usageDate, latest first' },
  'created-at': {
    has: ({ createdAt }) => instantOf(createdAt) !== undefined,
    field: 'createdAt',
    words: 'by createdAt, earliest first',
  },
  id: { has: () => true, field: 'id', words: 'by id' },
};

function hasUsageDate({ usageDate }: Members): boolean {
  return (
    isObject(usageDate) &&
    ['year', 'month', 'day'].every((part) => typeof usageDate[part] === 'number')
  );
}

function observeRun(run: readonly Page[]) {
  const [first] = run;
  const records = recordsIn(run).filter(({ id }) => typeof id === 'string');
  if (first === undefined || records.length < 2) return [];
  const orders = ordersOf(records);
  const fitting = orders.filter(({ places }) =>
    [comparePositions, compareNumbers].some((compare) => isSorted(places, compare)),
  );
  const pages = run.length === 1 ? '' : ` on ${run.length} pages`;
  const told = `${records.length} measurements${pages}, ${inWords(fitting, orders)}`;
  const values = fitting.map(({ value }) => value);
  return { ...tell(first.sample, told, ...values), samples: run.map(({ sample }) => sample) };
}

type Order = ReturnType<typeof ordersOf>[number];

/** Each order with the positions of the records that it can sort: few where fields are absent. */
function ordersOf(records: readonly Members[]) {
  return (Object.keys(ORDERS) as Value[]).map((value) => {
    const placed = records.filter(ORDERS[value].has) as unknown as Measurement[];
    return { value, ...ORDERS[value], places: placed.map(MEASUREMENT_ORDERS[value].positionOf) };
  });
}

/** Compares numeric ids by value: `9` is before `10`. */
function compareNumbers(one: Position, other: Position): number {
  const areNumbers = /^\d+ \d+$/.test(`${one[1]} ${other[1]}`);
  if (one[0] !== other[0] || !areNumbers) return comparePositions(one, other);
  return Number(BigInt(one[1]) - BigInt(other[1]));
}

function inWords(fitting: readonly Order[], all: readonly Order[]): string {
  const compared = fitting.filter(({ places }) => places.length > 1);
  const missing = fitting.filter((order) => !compared.includes(order)).map(({ field }) => field);
  const told = compared.map(({ words }) => words);
  if (missing.length > 0) told.push(`with no ${[...new Set(missing)].join(' or ')} to compare`);
  if (told.length > 0) return told.join(' or ');
  const almost = all.find(({ value, places }) => {
    const ranks = places.map(([rank]): Position => [rank, '']);
    return value !== 'id' && isSorted(ranks, comparePositions);
  });
  return almost
    ? `${almost.words}, but equal ones not by id`
    : 'by none of usageDate, createdAt and id';
}
