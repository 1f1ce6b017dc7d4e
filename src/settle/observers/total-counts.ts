import type { DecisionValue } from '../../decisions/ledger.js';
import { describeExchange } from '../evidence.js';
import type { Observation, Observer } from '../observation.js';
import { type Page, pagesOf, runsOf } from '../pages.js';
import { countOf } from '../refused-or-accepted.js';

/** Compares `total` with the measurements before, on and after a page (section 4.4). */
export const totalCounts: Observer<'total-counts'> = {
  wanted: 'the second page of a listing',
  observe: (seen) =>
    runsOf(pagesOf(seen)).flatMap((run) => run.map((page) => observePage(page, run))),
};

/** What a page and the run that it is part of say about the size of the listing. */
interface Counted {
  readonly total: number;
  /** The `total` of the first page. */
  readonly firstTotal: unknown;
  readonly offset: number;
  readonly length: number;
  /** How many measurements there are up to the end of the page. */
  readonly upToHere: number;
  /** How many measurements the listing has, if its end was seen. */
  readonly size: number | undefined;
}

const FITS: Record<DecisionValue<'total-counts'>, (counted: Counted) => boolean> = {
  all: ({ total, firstTotal, upToHere, size = total }) =>
    total === firstTotal && total >= upToHere && total === size,
  remaining: ({ total, firstTotal, offset, upToHere, size = firstTotal }) =>
    firstTotal === total + offset && firstTotal >= upToHere && firstTotal === size,
  page: ({ total, length }) => total === length,
};

const VALUES = Object.keys(FITS) as DecisionValue<'total-counts'>[];

function observePage(page: Page, run: readonly Page[]): Observation<'total-counts'> {
  const { exchange, measurements, total, offset = 0 } = page;
  if (typeof total !== 'number') {
    return { explainedBy: [], evidence: describeExchange(exchange, 'total is not a number') };
  }
  const { length } = measurements;
  const last = run.at(-1);
  const size = last?.hasMore === false ? (last.offset ?? 0) + last.measurements.length : undefined;
  const upToHere = offset + length;
  const counted = { total, firstTotal: run[0]?.total, offset, length, upToHere, size };
  const all = size === undefined ? '' : `, ${size} in all`;
  return {
    explainedBy: VALUES.filter((value) => FITS[value](counted)),
    evidence: describeExchange(
      exchange,
      `total is ${total}: ${countOf(page)} on the page, ${offset} before it${all}`,
    ),
  };
}
