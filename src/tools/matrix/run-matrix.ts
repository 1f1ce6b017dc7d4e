import { type Coverage, OF_DECISIONS } from '#spec';
import { type Alternative, alternativesTo, type Combination, nameOf } from './alternatives.js';
import { inParallel, type SearchResult, searchCombinations } from './breaking-combinations.js';
import { combinationsCovering, createPairSet, type Pair, pairsOf } from './covering-pairs.js';
import { FLAKY, NO_REQUESTS, NOT_SEEN, NOT_TOUCHED } from './outcomes.js';
import { countOf, type RunEnd, type SharedByRuns } from './single-run.js';
import {
  type Controls,
  canCompare,
  checkBaseline,
  createTry,
  prepareControls,
  skipped,
  type Trial,
  type Tried,
  tryAll,
} from './trials.js';

export interface MatrixOptions extends SharedByRuns {
  readonly choose: (alternatives: readonly Alternative[]) => readonly Alternative[];
  /** True to run the command once while every call gets a 500: it has to fail. */
  readonly hasCanary: boolean;
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

/** The command under one alternative, or under several together. */
export interface MatrixRun extends Tried {
  readonly alternatives: Combination;
  /** False if it was skipped, because no response of the baseline rested on its decision. */
  readonly isRun: boolean;
}

export interface MatrixResult extends Controls {
  /** One for each chosen alternative, even if skipped; none unless runs can be compared. */
  readonly runs: readonly MatrixRun[];
  /** The operations that the baseline called, and no run under an alternative did. */
  readonly notSeen: readonly string[];
  readonly pairwise?: PairwiseResult;
}

/** A trial of alternatives. */
interface Planned extends Trial {
  readonly alternatives: Combination;
}

/**
 * Runs the command once with unchanged decisions, once while every call fails, and once under each
 * planned alternative, each time against a separate server and account; then, if `isPairwise` is
 * set, under combinations of those that break nothing alone. Runs no alternative if the baseline
 * fails or calls nothing, or if the command passes although every call fails.
 */
export async function runMatrix(options: MatrixOptions): Promise<MatrixResult> {
  const { isPairwise, isOnlyTouched, jobs } = options;
  const prepared = await prepareControls(options);
  const chosen = options.choose(alternativesTo(prepared.inForce));
  const plan = (alternatives: Combination) => {
    const combinations = isPairwise ? combinationsCovering(alternatives) : [];
    options.onPlan(alternatives, combinations);
    return { alternatives, combinations };
  };
  const early = isOnlyTouched ? undefined : plan(chosen);
  const controls = await prepared.run();
  const { baseline } = controls;
  if (!canCompare(controls)) return { ...controls, runs: [], notSeen: [] };
  const touched = decisionsIn(baseline.coverage);
  const { alternatives, combinations } =
    early ?? plan(chosen.filter(({ decision }) => touched.has(decision)));
  const run = createMatrixTry(options, alternatives.length + combinations.length, baseline);
  const trials = alternatives.map((one) => planOf([one], nameOf(one)));
  const tried = await tryAll(trials, jobs, (subject) => touched.has(subject), run);
  const notSeen = await operationsNotSeen(trials, tried, baseline, { jobs, run });
  const steady = await checkBaseline(tried, options, baseline);
  const runs = chosen.map((one): MatrixRun => {
    const found = steady[alternatives.indexOf(one)];
    return found
      ? inMatrix([one], found)
      : { ...skipped(baseline), alternatives: [one], isRun: false };
  });
  if (!isPairwise) return { ...controls, runs, notSeen };
  const found = await searchPairs(runs, combinations, jobs, run);
  const breaking = await checkBaseline(found.breaking, options, baseline);
  const pairwise = {
    ...found,
    breaking: breaking.filter(({ outcome }) => outcome !== FLAKY),
    unsteady: [...found.unsteady, ...breaking.filter(({ outcome }) => outcome === FLAKY)],
  };
  return { ...controls, runs, notSeen, pairwise };
}

/** What `--pairwise` found. */
export interface PairwiseResult extends SearchResult<MatrixRun> {
  /** Pairs whose alternatives were both touched alone, but in no run together. */
  readonly apart: readonly Pair[];
}

/** Runs the combinations without the alternatives that fail alone or were not seen. */
async function searchPairs(
  runs: readonly MatrixRun[],
  combinations: readonly Combination[],
  jobs: number,
  run: (trial: Planned) => Promise<Tried>,
): Promise<PairwiseResult> {
  const left = runs.filter(({ outcome }) => outcome === 'failed' || outcome === NOT_SEEN);
  const leftOut = new Set(left.flatMap(({ alternatives }) => alternatives));
  const touchedAlone = runs.flatMap(touchedIn).filter((one) => !leftOut.has(one));
  const together = createPairSet();
  let nth = 0;
  const found = await searchCombinations({
    combinations: combinations.map((all) => all.filter((one) => !leftOut.has(one))),
    jobs,
    async run(combination) {
      nth += 1;
      // A name of its own, for caches that know that a test reads it.
      const ended = inMatrix(combination, await run(planOf(combination, `combination-${nth}`)));
      together.add(touchedIn(ended));
      // Whatever this run called, it tried none of these.
      const isLost =
        ended.outcome === NOT_TOUCHED && combination.every((one) => touchedAlone.includes(one));
      return isLost ? { ...ended, outcome: NO_REQUESTS } : ended;
    },
  });
  const apart = pairsOf(touchedAlone).filter((pair) => !together.has(...pair));
  // Several jobs find them in any order.
  const order = new Map(runs.flatMap((one) => one.alternatives).map((one, nth) => [one, nth]));
  const placeOf = (one: MatrixRun) =>
    one.alternatives.map((each) => String(order.get(each)).padStart(3)).join();
  const inOrder = (found: readonly MatrixRun[]) =>
    found.toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)));
  const { breaking, silent } = found;
  return { ...found, apart, breaking: inOrder(breaking), silent: inOrder(silent) };
}

/** The alternatives of a run on which a response rested. */
function touchedIn({ alternatives, coverage }: MatrixRun): Combination {
  return alternatives.filter((one) => countOf(coverage, OF_DECISIONS, nameOf(one)).count > 0);
}

/** Returns a function that tries alternatives once, and shows the progress. */
function createMatrixTry(options: MatrixOptions, planned: number, baseline: RunEnd) {
  let done = 0;
  options.onProgress(done, planned);
  return createTry<Planned>(options, baseline, ({ alternatives }, tried) => {
    done += 1;
    // Repeating runs and narrowing failures down takes more than planned.
    options.onProgress(done, Math.max(done, planned), inMatrix(alternatives, tried));
  });
}

function planOf(alternatives: Combination, name: string): Planned {
  return {
    alternatives,
    subject: alternatives[0]?.decision ?? '',
    token: `matrix-${name.replaceAll(/[^\w-]/g, '-')}`,
    met: (coverage) =>
      alternatives.reduce(
        (sum, one) => sum + countOf(coverage, OF_DECISIONS, nameOf(one)).count,
        0,
      ),
  };
}

function inMatrix(alternatives: Combination, tried: Tried): MatrixRun {
  return { ...tried, alternatives, isRun: true };
}

/**
 * The operations that the baseline called and no trial did. A client may call fewer under one
 * decision, so this needs trials of at least two; those that pass run once more before it is told.
 */
async function operationsNotSeen(
  trials: readonly Planned[],
  tried: readonly Tried[],
  baseline: RunEnd,
  { jobs, run }: { jobs: number; run: (trial: Planned) => Promise<Tried> },
): Promise<readonly string[]> {
  const passed = trials.filter((_, place) => {
    const { exitCode, outcome } = tried[place] as Tried;
    return exitCode === 0 && outcome !== NO_REQUESTS;
  });
  if (new Set(passed.map(({ subject }) => subject)).size < 2) return [];
  let notSeen = operationsIn(baseline.coverage);
  const see = ({ coverage }: RunEnd) => {
    const seen = operationsIn(coverage);
    notSeen = notSeen.filter((operationId) => !seen.includes(operationId));
  };
  tried.forEach(see);
  await inParallel(passed, jobs, async (trial) => {
    if (notSeen.length > 0) see(await run(trial));
  });
  return notSeen;
}

function operationsIn({ rows }: Coverage): readonly string[] {
  return rows.flatMap(({ of, row, count }) => (row === 'called' && count > 0 ? [of] : []));
}

function decisionsIn({ rows }: Coverage): ReadonlySet<string> {
  const touched = rows.filter(({ of, count }) => of === OF_DECISIONS && count > 0);
  return new Set(touched.map(({ row }) => row.slice(0, row.indexOf('='))));
}
