import type { DecisionValue } from '../../decisions/ledger.js';
import { count } from '../../values/plural.js';
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
    const around = isMoving ? boundsAround(pages) : undefined;
    const bounds = boundsByLimit(pages);
    // A run may begin with a page of a limit that is out of bounds, which says nothing by itself.
    const others = [...bounds.values()].reduce(union, NONE);
    return runsOf(pages).flatMap((run) => {
      const size = sizeIn(run);
      return run.map((page) => {
        // A moving listing has the size that its first page says only when that is read.
        const near = around ? around.get(page) : bounds.get(run[0]?.limit);
        return observePage(page, isMoving ? undefined : size, near ?? others, isMoving);
      });
    });
  },
};

/** The lowest and the highest total of some first pages. */
type Bounds = readonly [lowest: number, highest: number];

const NONE: Bounds = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

function widened([lowest, highest]: Bounds, { total }: Page): Bounds {
  return [Math.min(lowest, Number(total)), Math.max(highest, Number(total))];
}

function union([lowest, highest]: Bounds, [lower, higher]: Bounds): Bounds {
  return [Math.min(lowest, lower), Math.max(highest, higher)];
}

/** By each limit, what its first pages say. */
function boundsByLimit(pages: readonly Page[]): ReadonlyMap<Page['limit'], Bounds> {
  const bounds = new Map<Page['limit'], Bounds>();
  for (const page of pages.filter(({ offset }) => offset === 0)) {
    bounds.set(page.limit, widened(bounds.get(page.limit) ?? NONE, page));
  }
  return bounds;
}

/** For each page, what the first page of its run and the next first page read after it say. */
function boundsAround(pages: readonly Page[]): ReadonlyMap<Page, Bounds> {
  const around = new Map<Page, Bounds>();
  let next = NONE;
  for (const page of pages.toReversed()) {
    if (page.offset === 0) next = widened(NONE, page);
    around.set(page, next);
  }
  for (const [start, ...others] of runsOf(pages)) {
    for (const page of others) {
      if (start) around.set(page, widened(around.get(page) ?? NONE, start));
    }
  }
  return around;
}

/** How many measurements the listing has, if the run ends it. */
function sizeIn(run: readonly Page[]): number | undefined {
  const last = run.at(-1);
  return last?.hasMore === false ? (last.offset ?? 0) + last.measurements.length : undefined;
}

function observePage(
  { sample, measurements: { length }, total, offset = 0 }: Page,
  size: number | undefined,
  [lowest, highest]: Bounds,
  isMoving: boolean,
) {
  if (typeof total !== 'number') return tell(sample, 'total is not a number');
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
