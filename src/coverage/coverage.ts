import type { DecisionId, Decisions } from '../decisions/ledger.js';
import type { components } from '../generated/control.js';

/**
 * Which parts of the contract requests have touched: a row for each part they can touch.
 *
 * @example
 * const coverage: Coverage = server.account('my-token').coverage();
 * console.log(coverage.rows.filter(({ count }) => count > 0).length);
 */
export type Coverage = components['schemas']['Coverage'];

/**
 * One part that requests can touch, such as a status of an operation, and how many have.
 *
 * @example
 * const isMissing = ({ count, isReachable }: CoverageRow) => isReachable && count === 0;
 */
export type CoverageRow = components['schemas']['CoverageRow'];

/** A call of the service when its response is known, as far as coverage is concerned. */
export interface Call {
  /** Undefined if it called no operation. */
  readonly operationId: string | undefined;
  readonly method: string;
  readonly target: string;
  /** The values of the query as sent; of a repeated one a list. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body; undefined if none was read. */
  readonly body: unknown;
  /** The status that the caller sees; undefined if the response is lost. */
  readonly status: number | undefined;
  /** What the operation has returned, unless it refused. */
  readonly result: object | undefined;
  /** The name of the problem with which it was refused. */
  readonly problem: string | undefined;
  /** The kind of the fault that fired. */
  readonly fault: string | undefined;
  /** The decisions in force for it, and those that were asked for. */
  readonly inForce: Decisions | undefined;
  readonly applied: readonly DecisionId[];
}

/** The version of a coverage as it is written. */
export const COVERAGE_VERSION = 1;

/** What the rows of decisions are of, as others are of an operation. */
export const OF_DECISIONS = 'decisions';

/** The name of a row among all. */
export function nameOf({ of, row }: Pick<CoverageRow, 'of' | 'row'>): string {
  return `${of}: ${row}`;
}
