import type { DecisionId } from '../decisions/ledger.js';
import type { Mistake } from '../values/mistake.js';
import type { ProblemName } from './problem-types.js';
import { recogniseAcrossBundles } from './same-error-across-bundles.js';

/** What a refusal adds to its detail. */
export interface ProblemGround {
  /** The decision that it rests on; the section that leaves it open is listed with it. */
  readonly decision?: DecisionId;
  /** Every invalid value that the problem lists. */
  readonly mistakes?: readonly Mistake[];
  /** The status, where the kind leaves it open. */
  readonly status?: number;
  /** Header fields of this one problem, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the log says instead of the detail, where that is long. */
  readonly inShort?: string;
  /** What went wrong inside; for the log, never for the body. */
  readonly cause?: unknown;
}

/**
 * A refusal, thrown anywhere and written in one place. `detail` says what was received, what was expected, and what to do.
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
