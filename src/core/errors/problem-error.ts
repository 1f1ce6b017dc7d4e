import type { DecisionId } from '../decisions/ledger.js';
import type { Mistake } from '../values/mistake.js';
import type { ProblemName } from './problem-types.js';
import { recogniseAcrossBundles } from './same-error-across-bundles.js';

/** What a problem may have besides its kind and detail. */
export interface ProblemGround {
  /** The decision behind it; the problem also names the section that leaves it open. */
  readonly decision?: DecisionId;
  /** Every invalid value that the problem lists. */
  readonly mistakes?: readonly Mistake[];
  /** The status, for kinds of problem that have none of their own. */
  readonly status?: number;
  /** Header fields of this one problem, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Logged instead of a detail that is long. */
  readonly inShort?: string;
  /** The underlying error; its stack is logged but never sent. */
  readonly cause?: unknown;
}

/**
 * A refusal of the mock, which HTTP clients receive as a problem. The message says what was
 * received, what was expected, and what to do.
 *
 * @example
 * try {
 *   server.account('token-refused');
 * } catch (error) {
 *   if (error instanceof ProblemError) console.log(error.problem); // unauthorized
 * }
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: ProblemName;
  readonly ground: ProblemGround;

  constructor(problem: ProblemName, detail: string, ground: ProblemGround = {}) {
    super(detail, { cause: ground.cause });
    this.problem = problem;
    this.ground = ground;
  }
}

recogniseAcrossBundles(ProblemError, 'ProblemError');
