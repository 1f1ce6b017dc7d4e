import type { DecisionValue } from '../../decisions/ledger.js';
import { count } from '../../openapi/expectation.js';
import { type Page, pagesOf, runsOf } from '../seen/pages.js';
import { type Observer, tell } from './observer.js';

/** What a page and the run that it is part of say about the size of the listing. */
interface Counted {
  readonly total: number;
  /** How many measurements are before the page. */
  readonly offset: number;
  readonly length: number;
  /** True if the listing may have had this size while its pages were read. */
  readonly isPossible: (size: number) => boolean;
}

const FITS: Record<DecisionValue<'total-counts'>, (counted: Counted) => boolean> = {
  all: ({ total, offset, length, isPossible }) => total >= offset + length && isPossible(total),
  remaining: ({ total, offset, length, isPossible }) =>
    total >= length && isPossible(offset + total),
  page: ({ total, length }) => total === length,
};

const VALUES = Object.keys(FITS) as DecisionValue<'total-counts'>[];

/** Compares `total` with the measurements before, on and after a page (section 4.4). */
export const totalCounts: Observer<'total-counts'> = {
  wanted: 'the second page of a listing',
  observe: (seen) => {
    const pages = pagesOf(seen);
    const totals = totalsOf(pages);
    return runsOf(pages).flatMap((run) => {
      const size = sizeIn(run);
      const [lowest, highest] = totals.get(run[0]?.limit) ?? NONE;
      const isWithin = (one: number) => one >= lowest && one <= highest;
      // What its first page says and its end, if it was seen, confirms. If the listing changed, its
      // first page says another when it is read again.
      const isPossible = (one: number) => isWithin(one) && (size === undefined || isWithin(size));
      return run.map((page) => observePage(page, size, isPossible));
    });
  },
};

/** The lowest and the highest total that the first pages of a limit say. */
type Totals = ReadonlyMap<Page['limit'], readonly [lowest: number, highest: number]>;

const NONE = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;

function totalsOf(pages: readonly Page[]): Totals {
  const totals = new Map<Page['limit'], readonly [number, number]>();
  for (const { limit, total } of pages.filter(({ offset }) => offset === 0)) {
    const [lowest, highest] = totals.get(limit) ?? NONE;
    totals.set(limit, [Math.min(lowest, Number(total)), Math.max(highest, Number(total))]);
  }
  return totals;
}

/** How many measurements the listing has, if the run ends it. */
function sizeIn(run: readonly Page[]): number | undefined {
  const last = run.at(-1);
  return last?.hasMore === false ? (last.offset ?? 0) + last.measurements.length : undefined;
}

function observePage(
  { sample, measurements: { length }, total, offset = 0 }: Page,
  size: number | undefined,
  isPossible: Counted['isPossible'],
) {
  if (typeof total !== 'number') return tell(sample, 'total is not a number');
  const all = size === undefined ? '' : `, ${size} in all`;
  return tell(
    sample,
    `total is ${total}: ${count(length, 'measurement')} on the page, ${offset} before it${all}`,
    ...VALUES.filter((value) => FITS[value]({ total, offset, length, isPossible })),
  );
}
