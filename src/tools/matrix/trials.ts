import { inParallel } from './in-parallel.js';
import { FLAKY, NO_REQUESTS, NOT_SEEN, NOT_TOUCHED, type Outcome } from './outcomes.js';
import {
  type Changed,
  calledIn,
  createRun,
  isComparable,
  isSilent,
  type RunEnd,
  type SharedByRuns,
  timeoutAfter,
} from './single-run.js';

/** What to compare the command's baseline with: a run under other decisions, or with a fault. */
export interface Trial extends Changed {
  /** The token of the run's account. */
  readonly token: string;
  /** The decision or operation that it is about. */
  readonly subject: string;
  /** The row of the coverage that counts the requests that it affected. */
  readonly met: string;
}

export interface Tried extends RunEnd {
  readonly outcome: Outcome;
  /** How many requests the trial affected. */
  readonly met: number;
  /** If it passed: the operations that the baseline called and this run did not. */
  readonly notCalled: readonly string[];
}

/** The runs that every trial rests on. */
export interface Controls {
  readonly baseline: RunEnd;
  /** The run in which every call gets a 500; undefined if it is left out. */
  readonly canary?: RunEnd | undefined;
}

/** True if trials can be compared with the baseline: it passed, and the command can fail. */
export function canCompare({ baseline, canary }: Controls): boolean {
  return isComparable(baseline) && canary?.exitCode !== 0;
}

const BASELINE = 'matrix-baseline';

/** The baseline's decisions, and a function that runs it and, if wanted, the canary. */
export async function prepareControls(options: SharedByRuns & { readonly hasCanary: boolean }) {
  const { timeoutMs, hasCanary } = options;
  const first = await createRun(options, BASELINE, {});
  return {
    inForce: first.inForce,
    async run(): Promise<Controls> {
      const baseline = await first.run(timeoutMs);
      if (!hasCanary || !isComparable(baseline)) return { baseline };
      const failing = await createRun(options, 'matrix-canary', { failsEveryCall: true });
      return { baseline, canary: await failing.run(timeoutMs ?? timeoutAfter(baseline)) };
    },
  };
}

/** Returns a function that runs a trial once, and calls `onEnd` afterwards. */
export function createTry<Item extends Trial>(
  options: SharedByRuns,
  baseline: RunEnd,
  onEnd: (trial: Item, tried: Tried) => void,
) {
  const timeoutMs = options.timeoutMs ?? timeoutAfter(baseline);
  return async (trial: Item): Promise<Tried> => {
    const end = await (await createRun(options, trial.token, trial)).run(timeoutMs);
    const met = end.coverage.counts[trial.met] ?? 0;
    const notCalled = notCalledIn(end, baseline);
    const tried = { ...end, met, outcome: outcomeOf(end, met), notCalled };
    onEnd(trial, tried);
    return tried;
  };
}

type Try<Item> = (trial: Item) => Promise<Tried>;

function outcomeOf(end: RunEnd, met: number): Outcome {
  if (end.exitCode !== 0) return 'failed';
  if (isSilent(end)) return NO_REQUESTS;
  return met > 0 ? 'passed' : NOT_TOUCHED;
}

/** The operations that the baseline called and a run did not; none if it failed or is silent. */
function notCalledIn(end: RunEnd, baseline: RunEnd): readonly string[] {
  if (end.exitCode !== 0 || isSilent(end)) return [];
  const called = calledIn(end.coverage);
  return calledIn(baseline.coverage).filter((operationId) => !called.includes(operationId));
}

/** Repeats a run that fails. If the second passes, the first shows no dependency. */
async function trySteadily<Item>(trial: Item, run: Try<Item>): Promise<Tried> {
  const first = await run(trial);
  if (first.outcome !== 'failed') return first;
  const again = await run(trial);
  const isFlaky = again.outcome === 'passed' || again.outcome === NOT_TOUCHED;
  return isFlaky ? { ...first, outcome: FLAKY } : again;
}

/** Whether the baseline shows that a trial, or at least one of those of a subject, must be touched. */
export interface Expected {
  readonly isTouchedByBaseline: (subject: string) => boolean;
  readonly isEachTouched: boolean;
}

/**
 * Tries each; the result is in the same order. If a trial was not touched although the baseline lets
 * expect it, tries it once more, because a suite may pick its tests at random. If it is still not
 * touched, perhaps because a cache answers for some tests, it is `not seen`.
 */
export async function tryAll<Item extends Trial>(
  trials: readonly Item[],
  jobs: number,
  { isTouchedByBaseline, isEachTouched }: Expected,
  run: Try<Item>,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  const tryThose = async (isWanted: (place: number) => boolean) => {
    const places = [...trials.keys()].filter(isWanted);
    await inParallel(places, jobs, async (place) => {
      tried[place] = await trySteadily(trials[place] as Item, run);
    });
  };
  const subjectOf = (place: number) => String(trials[place]?.subject);
  const unseen = () => {
    const touched = new Set(tried.flatMap(({ met }, place) => (met > 0 ? [subjectOf(place)] : [])));
    return (place: number) =>
      tried[place]?.outcome === NOT_TOUCHED &&
      (isEachTouched || !touched.has(subjectOf(place))) &&
      isTouchedByBaseline(subjectOf(place));
  };
  await tryThose(() => true);
  await tryThose(unseen());
  const isUnseen = unseen();
  return tried.map((one, place) => (isUnseen(place) ? { ...one, outcome: NOT_SEEN } : one));
}

/**
 * If any has failed, runs the baseline again: unless it passes once more, these failures show
 * nothing either.
 */
export async function checkBaseline<Run extends Tried>(
  tried: readonly Run[],
  options: SharedByRuns,
  baseline: RunEnd,
): Promise<readonly Run[]> {
  if (tried.every(({ outcome }) => outcome !== 'failed')) return tried;
  const timeoutMs = options.timeoutMs ?? timeoutAfter(baseline);
  const { exitCode } = await (await createRun(options, BASELINE, {})).run(timeoutMs);
  if (exitCode === 0) return tried;
  return tried.map((one) => (one.outcome === 'failed' ? { ...one, outcome: FLAKY } : one));
}

/** The result of a trial that needs no run: every response would be that of the baseline. */
export function skipped({ coverage }: RunEnd): Tried {
  return {
    ...{ outcome: NOT_TOUCHED, met: 0, notCalled: [], requests: [], coverage },
    ...{ exitCode: 0, hasTimedOut: false, durationMs: 0, output: '' },
  };
}
