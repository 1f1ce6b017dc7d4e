import type { DecisionValue } from '#spec';
import { count } from '../../../core/values/plural.js';
import { listingOf, type Page, pagesOf } from '../seen/pages.js';
import { type Observer, tell } from './observer.js';

/** What a page and those around it show about the size of the listing. */
interface Counted {
  readonly total: number;
  /** How many measurements precede the page. */
  readonly offset: number;
  readonly length: number;
  /** True if the listing may have this size. */
  readonly isPossible: (size: number) => boolean;
}

type Value = DecisionValue<'total-counts'>;

const FITS: Record<Value, (counted: Counted) => boolean> = {
  all: ({ total, offset, length, isPossible }) => total >= offset + length && isPossible(total),
  remaining: ({ total, offset, length, isPossible }) =>
    total >= length && isPossible(offset + total),
  page: ({ total, length }) => total === length,
};

const VALUES = Object.keys(FITS) as Value[];

/** Compares `total` with the measurements before, on and after a page (section 4.4). */
export const totalCounts: Observer<'total-counts'> = {
  wanted: 'the second page of a listing that does not change meanwhile',
  observe: (seen) => {
    const { runs, firsts, leastSize, isMoving } = listingOf(pagesOf(seen));
    // A first page is consistent by itself, whatever came or went before it.
    return [...runs, ...firsts.map((page) => [page])].flatMap((run) => {
      const size = sizeIn(run, leastSize);
      const isPossible: Counted['isPossible'] = (one) =>
        one === run[0]?.total && (size === undefined || one === size);
      return run
        .map((page) => observePage(page, size, isPossible))
        .filter(({ explainedBy }) => !isMoving || explainedBy.length > 0);
    });
  },
};

/** The size of the listing, if the run reaches its end and no other page goes further. */
function sizeIn(run: readonly Page[], leastSize: number): number | undefined {
  const last = run.at(-1);
  const size = (last?.offset ?? 0) + (last?.measurements.length ?? 0);
  return last?.hasMore === false && size >= leastSize ? size : undefined;
}

function observePage(
  { sample, measurements: { length }, total, offset = 0 }: Page,
  size: number | undefined,
  isPossible: Counted['isPossible'],
) {
  if (typeof total !== 'number') return tell(sample, 'total is not a number');
  const all = size === undefined ? '' : `, ${size} in all`;
  const values = VALUES.filter((value) => FITS[value]({ total, offset, length, isPossible }));
  const told = `total is ${total}: ${count(length, 'measurement')} on the page, ${offset} before it${all}`;
  return tell(sample, told, ...values);
}
