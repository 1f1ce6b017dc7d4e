import { stripVTControlCharacters } from 'node:util';
import { callsIn, type DecisionId, LEDGER, type LedgerRow } from '#spec';
import type { CommandEnd } from '../../host/terminal/run-command.js';
import { type Alternative, nameOf } from './alternatives.js';
import { tellingDifference } from './first-difference.js';
import { failsMatrix, isAcceptedAs, NOT_TOUCHED, type Outcome } from './outcomes.js';
import type { RunRequest } from './requests-of-run.js';
import type { MatrixResult, MatrixRun } from './run-matrix.js';
import type { RunEnd } from './single-run.js';
import type { Controls } from './trials.js';

/** The result of a matrix, as JSON. */
export type MatrixReport = ReturnType<typeof reportOf>;

export interface EndReport extends Omit<CommandEnd, 'output'> {
  /**
   * `no requests` if it passed without sending any, perhaps because its result was cached;
   * `not touched` if it passed and it affected no response, `not seen` if it did so although its
   * decision affected one of the baseline; `flaky` if it failed only sometimes. None of these
   * proves anything.
   */
  readonly outcome: Outcome;
  /** If it passed: the operations that the baseline called and this run did not. */
  readonly notCalled?: readonly string[];
  /** False if it was skipped, as none of the baseline's responses rests on its decision. */
  readonly isRun: boolean;
  readonly isAccepted: boolean;
  /** If it failed: the most telling exchange whose status, problem, body or length differs from the baseline. */
  readonly firstOther?: RunRequest | undefined;
  /** The last exchange before the command ended. */
  readonly last?: RunRequest | undefined;
  /** The lines of output that the baseline does not have, without repetitions and stack frames. */
  readonly output?: string;
}

export type AlternativeReport = MatrixReport['alternatives'][number];

export function reportOf(
  command: readonly string[],
  result: MatrixResult,
  accepted: ReadonlySet<string>,
  wanted: readonly DecisionId[] = [],
) {
  const { baseline, runs, notSeen } = result;
  const endOf = createEndOf(baseline, accepted);
  return {
    command,
    ...controlsReportOf(result),
    /** The operations that the baseline called, and no run under an alternative did. */
    notSeen,
    /** The decisions named by `--only` on which no response of any run rested. */
    notTouched: wanted.filter((decision) =>
      runs.every((run) => run.alternative.decision !== decision || run.outcome === NOT_TOUCHED),
    ),
    alternatives: runs.map((run) => ({ ...inWords(run.alternative), ...endOf(run) })),
  };
}

/** What the report in JSON says about the runs that the others rest on. */
export function controlsReportOf({ baseline, canary }: Controls) {
  return {
    baseline: {
      ...endedIn(baseline),
      requests: Math.max(baseline.requests.length, callsIn(baseline.coverage)),
    },
    /** The run in which every call got a 500; left out with `--no-canary`. */
    ...(canary && { canary: endedIn(canary) }),
  };
}

function endedIn({ exitCode, hasTimedOut, durationMs }: CommandEnd) {
  return { exitCode, hasTimedOut, durationMs };
}

function inWords({ decision, value }: Alternative) {
  const { section, question, values }: LedgerRow = LEDGER[decision];
  return { decision, value, section, question, meaning: values[value] ?? value };
}

function createEndOf(baseline: RunEnd, accepted: ReadonlySet<string>) {
  const newLinesOf = linesBeside(baseline);
  return (run: MatrixRun): EndReport => {
    const { outcome, isRun, exitCode, hasTimedOut, durationMs, requests } = run;
    const end = {
      outcome,
      isRun,
      isAccepted: isAcceptedAs(nameOf(run.alternative), outcome, accepted),
      exitCode,
      hasTimedOut,
      durationMs,
      ...(run.notCalled.length > 0 && { notCalled: run.notCalled }),
    };
    if (outcome !== 'failed') return end;
    return {
      ...end,
      firstOther: tellingDifference(requests, baseline.requests),
      last: requests.at(-1),
      output: newLinesOf(run.output),
    };
  };
}

/** True if the matrix fails. */
export function hasFailed(report: MatrixReport): boolean {
  return (
    report.notSeen.length + report.notTouched.length > 0 || report.alternatives.some(failsMatrix)
  );
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
