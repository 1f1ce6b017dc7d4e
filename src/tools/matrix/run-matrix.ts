import { type Coverage, rowOfDecision } from '#spec';
import { type Alternative, alternativesTo, nameOf } from './alternatives.js';
import { inParallel } from './in-parallel.js';
import { NO_REQUESTS } from './outcomes.js';
import { calledIn, type RunEnd, type SharedByRuns } from './single-run.js';
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
  /** True to skip alternatives whose decision affected no response of the baseline. */
  readonly isOnlyTouched: boolean;
  /** Called when the baseline has passed, and after each further run. */
  readonly onProgress: (done: number, all: number, run?: MatrixRun) => void;
}

/** The command under one alternative. */
export interface MatrixRun extends Tried {
  readonly alternative: Alternative;
  /** False if it was skipped, because its decision affected no response of the baseline. */
  readonly isRun: boolean;
}

export interface MatrixResult extends Controls {
  /** One for each chosen alternative, even if skipped; none unless runs can be compared. */
  readonly runs: readonly MatrixRun[];
  /** The operations that the baseline called, and no run under an alternative did. */
  readonly notSeen: readonly string[];
}

interface AlternativeTrial extends Trial {
  readonly alternative: Alternative;
}

/**
 * Runs the command once with unchanged decisions, once while every call fails, and once under each
 * chosen alternative, each time against a separate server and account. Runs no alternative if the
 * baseline fails or calls nothing, or if the command passes although every call fails.
 */
export async function runMatrix(options: MatrixOptions): Promise<MatrixResult> {
  const { isOnlyTouched, jobs } = options;
  const prepared = await prepareControls(options);
  const chosen = options.choose(alternativesTo(prepared.inForce));
  const controls = await prepared.run();
  const { baseline } = controls;
  if (!canCompare(controls)) return { ...controls, runs: [], notSeen: [] };
  const touched = decisionsIn(baseline.coverage);
  const planned = chosen.filter(({ decision }) => !isOnlyTouched || touched.has(decision));
  const run = createMatrixTry(options, planned.length, baseline);
  const trials = planned.map(trialOf);
  const tried = await tryAll(
    trials,
    jobs,
    { isTouchedByBaseline: (decision) => touched.has(decision), isEachTouched: true },
    run,
  );
  const notSeen = await operationsNotSeen(trials, tried, baseline, { jobs, run });
  const steady = await checkBaseline(tried, options, baseline);
  const runs = chosen.map((alternative): MatrixRun => {
    const found = steady[planned.indexOf(alternative)];
    return { ...(found ?? skipped(baseline)), alternative, isRun: found !== undefined };
  });
  return { ...controls, runs, notSeen };
}

/** Returns a function that tries an alternative once, and shows the progress. */
function createMatrixTry(options: MatrixOptions, planned: number, baseline: RunEnd) {
  let done = 0;
  options.onProgress(done, planned);
  return createTry<AlternativeTrial>(options, baseline, ({ alternative }, tried) => {
    done += 1;
    // A run that fails is repeated, so there may be more than planned.
    options.onProgress(done, Math.max(done, planned), { ...tried, alternative, isRun: true });
  });
}

function trialOf(alternative: Alternative): AlternativeTrial {
  const name = nameOf(alternative);
  return {
    alternative,
    subject: alternative.decision,
    token: `matrix-${name.replaceAll(/[^\w-]/g, '-')}`,
    met: rowOfDecision(name),
  };
}

/**
 * The operations that the baseline called and no trial did. A client may call fewer under one
 * decision, so this needs trials of at least two; those that pass run once more before it is told.
 */
async function operationsNotSeen(
  trials: readonly AlternativeTrial[],
  tried: readonly Tried[],
  baseline: RunEnd,
  { jobs, run }: { jobs: number; run: (trial: AlternativeTrial) => Promise<Tried> },
): Promise<readonly string[]> {
  const passed = trials.filter((_, place) => {
    const { exitCode, outcome } = tried[place] as Tried;
    return exitCode === 0 && outcome !== NO_REQUESTS;
  });
  if (new Set(passed.map(({ subject }) => subject)).size < 2) return [];
  let notSeen = calledIn(baseline.coverage);
  const see = ({ coverage }: RunEnd) => {
    const seen = calledIn(coverage);
    notSeen = notSeen.filter((operationId) => !seen.includes(operationId));
  };
  tried.forEach(see);
  await inParallel(passed, jobs, async (trial) => {
    if (notSeen.length > 0) see(await run(trial));
  });
  return notSeen;
}

function decisionsIn({ counts }: Coverage): ReadonlySet<string> {
  const prefix = rowOfDecision('');
  const touched = Object.keys(counts).filter((row) => row.startsWith(prefix) && counts[row]);
  return new Set(touched.map((row) => row.slice(prefix.length, row.indexOf('='))));
}
