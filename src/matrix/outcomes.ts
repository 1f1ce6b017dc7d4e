import { nameOfAll } from './alternatives.js';
import type { MatrixRun } from './run-matrix.js';
import { isSilent, type RunEnd } from './single-run.js';

export type Outcome = 'failed' | 'passed' | typeof NOT_TOUCHED | typeof NO_REQUESTS;

/** The outcome of a run that passes without requests though the baseline had some. */
export const NO_REQUESTS = 'no requests';

/** The outcome of a run that passes, but whose alternatives or fault affected no response. */
export const NOT_TOUCHED = 'not touched';

export function outcomeOf(run: MatrixRun): Outcome {
  if (run.differs) return 'failed';
  if (run.isSilent) return NO_REQUESTS;
  return run.isTouched ? 'passed' : NOT_TOUCHED;
}

/** True if a failure under these alternatives is accepted; nobody can accept a silent run. */
export function isAcceptedIn(run: MatrixRun, accepted: ReadonlySet<string>): boolean {
  return !run.isSilent && accepted.has(nameOfAll(run.alternatives));
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

interface EndedUnderFault {
  readonly outcome: FaultOutcome;
  readonly isAccepted?: boolean;
}

export function isBrokenByFault({ outcome, isAccepted }: EndedUnderFault): boolean {
  return !isAccepted && (outcome === 'failed' || outcome === 'hung');
}

/** True if `matrix --faults` fails because of this run: it is broken, or made no request. */
export function failsSweep(end: EndedUnderFault): boolean {
  return isBrokenByFault(end) || end.outcome === NO_REQUESTS;
}
