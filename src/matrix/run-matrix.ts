import { type Coverage, OF_DECISIONS } from '../coverage/coverage.js';
import {
  type Alternative,
  alternativesTo,
  type Combination,
  nameOf,
  nameOfAll,
} from './alternatives.js';
import { inParallel, type SearchResult, searchCombinations } from './breaking-combinations.js';
import { combinationsCovering } from './covering-pairs.js';
import {
  countOf,
  createRun,
  isComparable,
  isSilent,
  notCalledIn,
  type RunEnd,
  type SharedByRuns,
  timeoutAfter,
} from './single-run.js';

export interface MatrixOptions extends SharedByRuns {
  readonly choose: (alternatives: readonly Alternative[]) => readonly Alternative[];
  /** True to skip alternatives whose decision no response of the baseline rested on. */
  readonly isOnlyTouched: boolean;
  /** True to run pairs of alternatives, too. */
  readonly isPairwise: boolean;
  /** Called once, before any run; if `isOnlyTouched` is set, when the baseline has passed. */
  readonly onPlan: (
    alternatives: readonly Alternative[],
    combinations: readonly Combination[],
  ) => void;
  /** Called when the baseline has passed, and after each further run. */
  readonly onProgress: (done: number, all: number, run?: MatrixRun) => void;
}

/** One run of the command under one alternative, or under several together. */
export interface MatrixRun extends RunEnd {
  readonly alternatives: Combination;
  /** True if the command failed, unlike in the baseline. */
  readonly differs: boolean;
  /** True if it passed without a call, unlike the baseline: that proves nothing. */
  readonly isSilent: boolean;
  /** If it passed: the operations that the baseline called and this run did not. */
  readonly notCalled: readonly string[];
  /** False if no response rested on any of the alternatives. */
  readonly isTouched: boolean;
  /** False if it was skipped, because no response of the baseline rested on its decision. */
  readonly isRun: boolean;
}

export interface MatrixResult {
  readonly baseline: RunEnd;
  /** One for each chosen alternative, even if skipped; none if the baseline is not comparable. */
  readonly runs: readonly MatrixRun[];
  readonly pairwise?: SearchResult<MatrixRun>;
}

/**
 * Runs the command once with unchanged decisions and once under each planned alternative, each time
 * against a separate server and account; then, if `isPairwise` is set, under combinations of those
 * that break nothing alone. Runs no alternative if the baseline fails, or calls nothing.
 */
export async function runMatrix(options: MatrixOptions): Promise<MatrixResult> {
  const { isPairwise, isOnlyTouched, jobs } = options;
  const first = await createRun(options, 'matrix-baseline', {});
  const chosen = options.choose(alternativesTo(first.inForce));
  const plan = (alternatives: Combination) => {
    const combinations = isPairwise ? combinationsCovering(alternatives) : [];
    options.onPlan(alternatives, combinations);
    return { alternatives, combinations };
  };
  const planned = isOnlyTouched ? undefined : plan(chosen);
  const baseline = await first.run(options.timeoutMs);
  if (!isComparable(baseline)) return { baseline, runs: [] };
  const touched = decisionsIn(baseline.coverage);
  const { alternatives, combinations } =
    planned ?? plan(chosen.filter(({ decision }) => touched.has(decision)));
  const timeoutMs = options.timeoutMs ?? timeoutAfter(baseline);
  const all = alternatives.length + combinations.length;
  const run = createRunner(options, timeoutMs, all, baseline);
  const runs: MatrixRun[] = [];
  await inParallel(chosen, jobs, async (alternative, place) => {
    const isRun = alternatives.includes(alternative);
    runs[place] = isRun ? await run([alternative]) : notRun(alternative, baseline);
  });
  if (!isPairwise) return { baseline, runs };
  const breaking = runs.filter(({ differs }) => differs).flatMap((one) => one.alternatives);
  const found = await searchCombinations({
    combinations: combinations.map((all) => all.filter((one) => !breaking.includes(one))),
    jobs,
    run,
  });
  // Several jobs find them in any order.
  const placeOf = (one: MatrixRun) =>
    one.alternatives.map((each) => String(alternatives.indexOf(each)).padStart(3)).join();
  const inOrder = (found: readonly MatrixRun[]) =>
    found.toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)));
  const { breaking: together, silent } = found;
  const pairwise = { ...found, breaking: inOrder(together), silent: inOrder(silent) };
  return { baseline, runs, pairwise };
}

function createRunner(
  options: MatrixOptions,
  timeoutMs: number,
  planned: number,
  baseline: RunEnd,
) {
  let done = 0;
  options.onProgress(done, planned);
  return async (alternatives: Combination): Promise<MatrixRun> => {
    const name = alternatives.length > 1 ? 'combination' : nameOfAll(alternatives);
    const token = `matrix-${name.replaceAll(/[^\w-]/g, '-')}`;
    const { run } = await createRun(options, token, { alternatives });
    const ended = await run(timeoutMs);
    const finished = {
      alternatives,
      ...ended,
      differs: ended.exitCode !== 0,
      isSilent: isSilent(ended),
      notCalled: notCalledIn(ended, baseline),
      isTouched: alternatives.some(
        (one) => countOf(ended.coverage, OF_DECISIONS, nameOf(one)).count > 0,
      ),
      isRun: true,
    };
    done += 1;
    // Narrowing failures down takes more runs than planned.
    options.onProgress(done, Math.max(done, planned), finished);
    return finished;
  };
}

function decisionsIn({ rows }: Coverage): ReadonlySet<string> {
  const touched = rows.filter(({ of, count }) => of === OF_DECISIONS && count > 0);
  return new Set(touched.map(({ row }) => row.slice(0, row.indexOf('='))));
}

/** The result for a skipped alternative: every response would be that of the baseline. */
function notRun(alternative: Alternative, { coverage, ownMocks }: RunEnd): MatrixRun {
  return {
    ...{ alternatives: [alternative], differs: false, isTouched: false, isRun: false },
    ...{ isSilent: false, notCalled: [], ownMocks },
    ...{ exitCode: 0, hasTimedOut: false, durationMs: 0, output: '', requests: [], coverage },
  };
}
