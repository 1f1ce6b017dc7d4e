import type { DecisionId, Decisions } from '../../core/decisions/ledger.js';
import type { BodyInShort } from '../../core/values/body-in-short.js';
import type { components } from '../../generated/control.js';

/**
 * What requests have touched of operations, faults and decisions: a row for each part.
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

/** What coverage needs to know about a call with its response. */
export interface Call {
  /** Undefined if it called no operation. */
  readonly operationId: string | undefined;
  readonly method: string;
  readonly target: string;
  /** The query parameters as sent; a list for a repeated one. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The members of the body; undefined if none was read. */
  readonly body: BodyInShort | undefined;
  /** A hash of the body, or the body if it is short; undefined if none was read. */
  readonly bodyHash: string | undefined;
  /** The status that the caller sees; undefined if the response is lost. */
  readonly status: number | undefined;
  /** What the operation returned; undefined if it refused or did not run. */
  readonly result: object | undefined;
  /** The name of the problem with which it was refused. */
  readonly problem: string | undefined;
  /** The kind of the fault that fired. */
  readonly fault: string | undefined;
  /** The decisions in force; `applied` lists those that the response depends on. */
  readonly inForce: Decisions | undefined;
  readonly applied: readonly DecisionId[];
}

export const COVERAGE_VERSION = 1;

/** The `of` of rows about decisions; other rows have the id of an operation there. */
export const OF_DECISIONS = 'decisions';

/** The unique name of a row. */
export function nameOf({ of, row }: Pick<CoverageRow, 'of' | 'row'>): string {
  return `${of}: ${row}`;
}
