import type { DecisionValue } from '../../decisions/ledger.js';
import { count } from '../../openapi/expectation.js';
import { isMovingListing, type Page, pagesOf, runsOf } from '../seen/pages.js';
import { type Observer, tell } from './observer.js';

/** What a page and those around it say about the size of the listing. */
interface Counted {
  readonly total: number;
  /** How many measurements are before the page. */
  readonly offset: number;
  readonly length: number;
  /** True if the listing may have had this size, with so many more or fewer, when the page was read. */
  readonly isPossible: (size: number, more?: number) => boolean;
  /** How many measurements may have come or gone before the page since the first page was read. */
  readonly moved: number;
}

type Value = DecisionValue<'total-counts'>;

const FITS: Record<Value, (counted: Counted) => boolean> = {
  all: ({ total, offset, length, moved, isPossible }) =>
    total >= offset + length - moved && isPossible(total),
  remaining: ({ total, offset, length, moved, isPossible }) =>
    total >= length && isPossible(offset + total, offset === 0 ? 0 : moved),
  page: ({ total, length }) => total === length,
};

const VALUES = Object.keys(FITS) as Value[];

/** Compares `total` with the measurements before, on and after a page (section 4.4). */
export const totalCounts: Observer<'total-counts'> = {
  wanted: 'the second page of a listing that does not change meanwhile',
  observe: (seen) => {
    const pages = pagesOf(seen);
    const isMoving = isMovingListing(pages);
    const firsts = pages.filter(({ offset }) => offset === 0);
    return runsOf(pages).flatMap((run) => {
      const size = sizeIn(run);
      return run.map((page) => {
        // A moving listing has the size that its first page says only when that is read.
        const around = isMoving ? firstsAround(page, pages) : sameLimit(run[0], firsts);
        return observePage(page, isMoving ? undefined : size, around, isMoving);
      });
    });
  },
};

function sameLimit(start: Page | undefined, firsts: readonly Page[]): readonly Page[] {
  return firsts.filter(({ limit }) => limit === start?.limit);
}

/** From the first page of the run to the next first page that was read after it, whatever its limit. */
function firstsAround(page: Page, pages: readonly Page[]): readonly Page[] {
  const at = pages.indexOf(page);
  let start = page;
  while (start.previous) start = start.previous;
  const after = pages.findIndex(({ offset }, index) => offset === 0 && index >= at);
  const end = after < 0 ? pages.length : after;
  return pages.slice(pages.indexOf(start), end + 1).filter(({ offset }) => offset === 0);
}

/** How many measurements the listing has, if the run ends it. */
function sizeIn(run: readonly Page[]): number | undefined {
  const last = run.at(-1);
  return last?.hasMore === false ? (last.offset ?? 0) + last.measurements.length : undefined;
}

function observePage(
  { sample, measurements: { length }, total, offset = 0 }: Page,
  size: number | undefined,
  firsts: readonly Page[],
  isMoving: boolean,
) {
  if (typeof total !== 'number') return tell(sample, 'total is not a number');
  const totals = firsts.map((first) => Number(first.total));
  const [lowest, highest] = [Math.min(...totals), Math.max(...totals)];
  const moved = isMoving ? highest - lowest : 0;
  const isWithin = (one: number, more = 0) => one >= lowest - more && one <= highest + more;
  const isPossible: Counted['isPossible'] = (one, more) =>
    isWithin(one, more) && (size === undefined || isWithin(size));
  const all = size === undefined ? '' : `, ${size} in all`;
  const values = VALUES.filter((value) =>
    FITS[value]({ total, offset, length, moved, isPossible }),
  );
  const told = `total is ${total}: ${count(length, 'measurement')} on the page, ${offset} before it${all}`;
  if (!isMoving) return tell(sample, told, ...values);
  // What nothing explains may be a matter of the moment.
  const left = values.length === 0 ? VALUES : values;
  return tell(sample, `${told}, while measurements came or went`, ...left);
}
