import {
  type FaultOutcome,
  type FaultRun,
  type SweepOptions,
  type SweepResult,
  sweepFaults,
} from '../matrix/fault-sweep.js';
import { NOT_TOUCHED } from '../matrix/report.js';
import { endInWords } from '../matrix/report-for-people.js';
import { EXIT, untilInterrupted } from './exit.js';
import { type JunitCase, junitXml } from './junit.js';
import type { OutputFile } from './output-file.js';
import { createProgress } from './progress.js';

/** What a sweep is run with, and where its reports go. */
interface SweepCommand extends Omit<SweepOptions, 'signal' | 'onProgress'> {
  /** The command without secrets, as it is told of. */
  readonly shown: readonly string[];
  readonly files: readonly (OutputFile | undefined)[];
  /** Ends the command if its baseline cannot be compared with. */
  readonly failUnlessComparable: (
    command: readonly string[],
    result: Pick<SweepResult, 'baseline'>,
  ) => void;
  readonly failUnlessRun: (error: NodeJS.ErrnoException) => never;
}

/** `matrix --faults`: runs the command once for each operation and each kind of fault. */
export async function runSweep({ files, shown, ...sweep }: SweepCommand): Promise<void> {
  const { failUnlessComparable, failUnlessRun } = sweep;
  const [jsonFile, junitFile] = files;
  const startedAt = new Date().toISOString();
  const progress = createProgress(process.stderr);
  const result = await untilInterrupted((signal) => {
    process.stderr.write(`Baseline: ${shown.join(' ')}\n`);
    const onProgress: SweepOptions['onProgress'] = (done, all, run) =>
      progress.show(done, all, run && { line: lineOf(run), isNotable: isBroken(run) });
    return sweepFaults({ ...sweep, signal, onProgress }).catch(failUnlessRun);
  }).finally(progress.clear);
  if (result === undefined) return;
  failUnlessComparable(shown, result);
  const { runs } = result;
  process.stdout.write(tableOf(shown, runs));
  const faults = runs.map(({ output: _output, coverage: _coverage, ...run }) => run);
  jsonFile?.write(`${JSON.stringify({ command: shown, faults }, undefined, 2)}\n`);
  junitFile?.write(junitXml({ name: shown.join(' '), startedAt, cases: runs.map(caseOf) }));
  process.exitCode = runs.some(isBroken) ? EXIT.somethingDiffers : 0;
}

function isBroken({ outcome }: FaultRun): boolean {
  return outcome === 'failed' || outcome === 'hung';
}

const HEADINGS = ['operation', 'fault', 'outcome', 'met', 'attempts'] as const;
const WIDTHS = [20, 18, 13, 5] as const;

function lineOf({ operationId, fault, outcome, met, attempts }: FaultRun): string {
  const counts = outcome === NOT_TOUCHED ? [] : [met, attempts];
  return row([operationId, fault, outcome, ...counts]);
}

function row(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, nth) => String(cell).padEnd(WIDTHS[nth] ?? 0))
    .join('')
    .trimEnd();
}

/** A line for each run, and how many there are of each outcome. */
function tableOf(command: readonly string[], runs: readonly FaultRun[]): string {
  const counts = (['survived', 'failed', 'hung', NOT_TOUCHED] satisfies FaultOutcome[]).map(
    (outcome) => `${runs.filter((run) => run.outcome === outcome).length} ${outcome}`,
  );
  return [
    `${command.join(' ')}, where the first call to each operation meets a fault`,
    '',
    row(HEADINGS),
    ...runs.map(lineOf),
    '',
    `${counts.join(', ')}.`,
    '',
  ].join('\n');
}

function caseOf({ operationId, fault, outcome, met, attempts, ...end }: FaultRun): JunitCase {
  const { durationMs = 0, exitCode = null, hasTimedOut = false, output = '' } = end;
  const one = { classname: `faults.${operationId}`, name: fault, durationMs };
  if (outcome === 'survived') return one;
  if (outcome === NOT_TOUCHED)
    return { ...one, end: { kind: 'skipped', message: outcome, text: '' } };
  const ended = endInWords({ durationMs, exitCode, hasTimedOut });
  const message = `${outcome}: ${ended}; ${met} requests met the fault in ${attempts} attempts`;
  return { ...one, end: { kind: 'failure', message, text: output } };
}
