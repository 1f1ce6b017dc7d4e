import type { components } from '../generated/control.js';

/**
 * What of the contract requests have touched: a row for each thing that they can.
 *
 * @example
 * const coverage: Coverage = server.account('my-token').coverage();
 * console.log(coverage.rows.filter(({ count }) => count > 0).length);
 */
export type Coverage = components['schemas']['Coverage'];

/**
 * One thing that requests can touch, such as a status of an operation, and how many have.
 *
 * @example
 * const isMissing = ({ count, isReachable }: CoverageRow) => isReachable && count === 0;
 */
export type CoverageRow = components['schemas']['CoverageRow'];

/** The version of a coverage as it is written. */
export const COVERAGE_VERSION = 1;

/** What the rows of decisions are of, as others are of an operation. */
export const OF_DECISIONS = 'decisions';

/** The name of a row among all. */
export function nameOf({ of, row }: Pick<CoverageRow, 'of' | 'row'>): string {
  return `${of}: ${row}`;
}
