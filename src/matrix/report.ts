import { stripVTControlCharacters } from 'node:util';
import { LEDGER, type LedgerRow } from '../decisions/ledger.js';
import { type Alternative, nameOf, nameOfAll, TOGETHER } from './alternatives.js';
import { pairsOf } from './covering-pairs.js';
import { tellingDifference } from './first-difference.js';
import { isAcceptedIn, type Outcome, outcomeOf } from './outcomes.js';
import type { RunRequest } from './requests-of-run.js';
import type { CommandEnd } from './run-command.js';
import type { MatrixResult, MatrixRun } from './run-matrix.js';
import { callsIn, type RunEnd } from './single-run.js';

/** The result of a matrix, as JSON. */
export type MatrixReport = ReturnType<typeof reportOf>;

export interface EndReport extends Omit<CommandEnd, 'output'> {
  readonly differs: boolean;
  /**
   * `no requests` if it passed without sending any, perhaps because its result was cached;
   * `not touched` if it passed and no response rested on the alternative. Neither proves anything.
   */
  readonly outcome: Outcome;
  /** If it passed: the operations that the baseline called and this run did not. */
  readonly notCalled?: readonly string[];
  /** If it made no requests: how many of its own mocks were killed before they wrote what they saw. */
  readonly unwrittenMocks?: number;
  /** False if it was skipped, as none of the baseline's responses rests on its decision. */
  readonly isRun: boolean;
  readonly isAccepted: boolean;
  /** The most telling exchange whose status, problem, body or length differs from the baseline. */
  readonly firstOther?: RunRequest | undefined;
  /** The last exchange before the command ended. */
  readonly last?: RunRequest | undefined;
  /** The lines of output that the baseline does not have, without repetitions and stack frames. */
  readonly output?: string;
}

type PairwiseReport = NonNullable<ReturnType<typeof pairwiseReportOf>>;

export type CombinationReport = PairwiseReport['breaking'][number];

export function reportOf(
  command: readonly string[],
  result: MatrixResult,
  accepted: ReadonlySet<string>,
) {
  const { baseline, runs } = result;
  const endOf = createEndOf(baseline, accepted);
  const pairwise = pairwiseReportOf(result, accepted, endOf);
  return {
    command,
    baseline: {
      durationMs: baseline.durationMs,
      requests: Math.max(
        baseline.requests.length,
        callsIn(baseline.coverage),
        baseline.ownMocks.calls,
      ),
    },
    alternatives: runs.flatMap((run) =>
      run.alternatives.map((one) => ({ ...inWords(one), ...endOf(run) })),
    ),
    ...(pairwise && { pairwise }),
  };
}

function pairwiseReportOf(
  { runs, pairwise }: MatrixResult,
  accepted: ReadonlySet<string>,
  endOf: (run: MatrixRun) => EndReport,
) {
  if (pairwise === undefined) return undefined;
  const inReport = (run: MatrixRun) => ({
    alternatives: run.alternatives.map(inWords),
    ...endOf(run),
  });
  const { breaking, silent, untried } = pairwise;
  const passing = runs
    .filter(({ differs, isRun }) => isRun && !differs)
    .flatMap((run) => run.alternatives);
  const names = new Set(passing.map(nameOf));
  const told = [...breaking, ...silent].map(({ alternatives }) => alternatives.map(nameOf));
  const isTried = (parts: readonly string[]) =>
    parts.every((part) => names.has(part)) &&
    !untried.some((pair) => pair.every((one) => parts.includes(nameOf(one))));
  return {
    /** How many pairs of alternatives that pass alone were tried in runs with requests. */
    pairs: pairsOf(passing).length - untried.length,
    breaking: breaking.map(inReport),
    /** Combinations that passed without a request, which proves nothing about them. */
    withoutRequests: silent.map(inReport),
    /** The names of the flaky combinations. */
    unsteady: pairwise.unsteady.map(({ alternatives }) => nameOfAll(alternatives)),
    /** The names of accepted combinations that were tried and contain nothing that is reported as breaking. */
    acceptedInVain: [...accepted].filter((name) => {
      const parts = name.split(TOGETHER);
      return (
        parts.length > 1 &&
        isTried(parts) &&
        !told.some((one) => one.every((part) => parts.includes(part)))
      );
    }),
  };
}

function inWords({ decision, value }: Alternative) {
  const { section, question, values }: LedgerRow = LEDGER[decision];
  return { decision, value, section, question, meaning: values[value] ?? value };
}

function createEndOf(baseline: RunEnd, accepted: ReadonlySet<string>) {
  const newLinesOf = linesBeside(baseline);
  return (run: MatrixRun): EndReport => {
    const { differs, isRun, exitCode, hasTimedOut, durationMs, requests } = run;
    const end = {
      differs,
      outcome: outcomeOf(run),
      isRun,
      isAccepted: isAcceptedIn(run, accepted),
      exitCode,
      hasTimedOut,
      durationMs,
      ...(run.notCalled.length > 0 && { notCalled: run.notCalled }),
      ...(run.isSilent && { unwrittenMocks: run.ownMocks.unwritten }),
    };
    if (!differs) return end;
    return {
      ...end,
      firstOther: tellingDifference(requests, baseline.requests),
      last: requests.at(-1),
      output: newLinesOf(run.output),
    };
  };
}

/** All runs to report: each alternative alone, and combinations that failed or made no request. */
export function endsOf({ alternatives, pairwise }: MatrixReport): readonly CombinationReport[] {
  const alone = alternatives.map((one) => ({ ...one, alternatives: [one] }));
  return [...alone, ...(pairwise?.breaking ?? []), ...(pairwise?.withoutRequests ?? [])];
}

/** Creates a function that reduces output to the lines that the baseline's output does not have. */
export function linesBeside(baseline: Pick<CommandEnd, 'output'>): (output: string) => string {
  const written = new Set(linesOf(baseline.output).map(withoutFigures));
  return (output) => {
    const lines = linesOf(output).filter((line) => !written.has(withoutFigures(line)));
    return [...new Set(lines)].join('\n');
  };
}

function linesOf(output: string): string[] {
  return stripVTControlCharacters(output)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
}

/** Durations, ports and addresses differ from run to run. */
function withoutFigures(line: string): string {
  return line.replaceAll(/\d+/g, '0').trim();
}
