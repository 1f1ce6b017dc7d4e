import { count } from '../../../core/values/plural.js';
import { listingOf, type Page, pagesOf } from '../seen/pages.js';
import { type Observer, tell } from './observer.js';

/** Compares `total` with the measurements before, on and after a page (section 4.4). */
export const totalCounts: Observer<'total-counts'> = {
  wanted: 'the second page of a listing that does not change meanwhile',
  observe: (seen) => {
    const { runs, firsts, leastSize, isMoving } = listingOf(pagesOf(seen));
    // A first page is consistent by itself, whatever came or went before it.
    return [...runs, ...firsts.map((page) => [page])].flatMap((run) => {
      const size = sizeIn(run, leastSize);
      return run
        .map((page) => observePage(page, run[0]?.total, size))
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
  firstTotal: unknown,
  size: number | undefined,
) {
  if (typeof total !== 'number') return tell(sample, 'total is not a number');
  const isSize = (one: number) =>
    one === firstTotal && one >= offset + length && (size === undefined || one === size);
  const all = size === undefined ? '' : `, ${size} in all`;
  return tell(
    sample,
    `total is ${total}: ${count(length, 'measurement')} on the page, ${offset} before it${all}`,
    isSize(total) ? 'all' : undefined,
    isSize(offset + total) ? 'remaining' : undefined,
    total === length ? 'page' : undefined,
  );
}
