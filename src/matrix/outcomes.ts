import { nameOfAll } from './alternatives.js';
import type { MatrixRun } from './run-matrix.js';
import { isSilent, type RunEnd } from './single-run.js';

export type Outcome = 'failed' | 'passed' | typeof NOT_TOUCHED | typeof NO_REQUESTS;

/** The outcome of a run that passes without requests though the baseline had some. */
export const NO_REQUESTS = 'no requests';

/** The outcome of a run that passes, but whose alternatives or fault affected no response. */
export const NOT_TOUCHED = 'not touched';

export function outcomeOf({ differs, isSilent, isTouched }: MatrixRun): Outcome {
  if (differs) return 'failed';
  if (isSilent) return NO_REQUESTS;
  return isTouched ? 'passed' : NOT_TOUCHED;
}

/** True if a failure under these alternatives is accepted; nobody can accept a silent run. */
export function isAcceptedIn(
  { isSilent, alternatives }: MatrixRun,
  accepted: ReadonlySet<string>,
): boolean {
  return !isSilent && accepted.has(nameOfAll(alternatives));
}

interface Ended {
  readonly differs: boolean;
  readonly outcome: Outcome;
  readonly isAccepted: boolean;
}

export function isBroken({ differs, isAccepted }: Pick<Ended, 'differs' | 'isAccepted'>): boolean {
  return differs && !isAccepted;
}

/** True if the matrix fails because of this run: it is broken, or made no request. */
export function failsMatrix(end: Ended): boolean {
  return isBroken(end) || end.outcome === NO_REQUESTS;
}

/** The outcome of a run of `matrix --faults`. */
export type FaultOutcome = 'survived' | 'failed' | 'hung' | typeof NOT_TOUCHED | typeof NO_REQUESTS;

export function outcomeUnderFault(end: RunEnd, met: number): FaultOutcome {
  if (end.hasTimedOut) return 'hung';
  if (end.exitCode !== 0) return 'failed';
  if (isSilent(end)) return NO_REQUESTS;
  return met > 0 ? 'survived' : NOT_TOUCHED;
}

/** True if `matrix --faults` fails because of this run; nobody can accept one without requests. */
export function isBrokenByFault(run: {
  readonly outcome: FaultOutcome;
  readonly isAccepted?: boolean;
}): boolean {
  if (run.outcome === NO_REQUESTS) return true;
  return !run.isAccepted && (run.outcome === 'failed' || run.outcome === 'hung');
}
