/** How a run of the command ended, and whether that shows anything. */
export type Outcome =
  | 'passed'
  | 'failed'
  | typeof NOT_TOUCHED
  | typeof NO_REQUESTS
  | typeof NOT_SEEN
  | typeof FLAKY;

/** The outcome of a run that passes without requests though the baseline had some. */
export const NO_REQUESTS = 'no requests';

/** The outcome of a run that passes, but whose alternatives or fault affected no response. */
export const NOT_TOUCHED = 'not touched';

/**
 * The outcome of a run that was not touched, not even when it was repeated, although the baseline
 * was; under a fault, only if no other fault of the operation was met either.
 */
export const NOT_SEEN = 'not seen';

/**
 * The outcome of a run that failed but passed when it was repeated, or whose baseline did not pass
 * again.
 */
export const FLAKY = 'flaky';

/** Outcomes with which the matrix fails, because nobody can tell what the command depends on. */
const UNKNOWN: readonly Outcome[] = [NO_REQUESTS, NOT_SEEN, FLAKY];

export function isUnknown(outcome: Outcome): boolean {
  return UNKNOWN.includes(outcome);
}

/** True if a run passed, perhaps because a cache answered for the tests that matter. */
export function isUncalled(outcome: Outcome): boolean {
  return outcome === NO_REQUESTS || outcome === NOT_SEEN;
}

/** True if a failure of that name is accepted; nobody can accept an unknown outcome. */
export function isAcceptedAs(
  name: string,
  outcome: Outcome,
  accepted: ReadonlySet<string>,
): boolean {
  return !isUnknown(outcome) && accepted.has(name);
}

interface Ended {
  readonly outcome: Outcome;
  readonly isAccepted?: boolean;
}

export function isBroken({ outcome, isAccepted = false }: Ended): boolean {
  return outcome === 'failed' && !isAccepted;
}

/** True if the matrix fails because of this run. */
export function failsMatrix(end: Ended): boolean {
  return isBroken(end) || isUnknown(end.outcome);
}

/** How a run of `matrix --faults` ended. */
export type FaultOutcome = Exclude<Outcome, 'passed'> | 'survived' | 'hung';

interface EndedInTime {
  readonly outcome: Outcome;
  readonly hasTimedOut: boolean;
}

export function outcomeUnderFault({ outcome, hasTimedOut }: EndedInTime): FaultOutcome {
  if (outcome === 'passed') return 'survived';
  return outcome === 'failed' && hasTimedOut ? 'hung' : outcome;
}
