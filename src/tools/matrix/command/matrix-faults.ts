import { count } from '../../../core/values/plural.js';
import { EXIT, untilInterrupted } from '../../../host/terminal/exit.js';
import { type JunitCase, junitXml } from '../../../host/terminal/junit.js';
import type { OutputFile } from '../../../host/terminal/output-file.js';
import { createProgress } from '../../../host/terminal/progress.js';
import {
  type FaultRun,
  nameOfCell,
  type SweepOptions,
  type SweepResult,
  sweepFaults,
} from '../fault-sweep.js';
import {
  type FaultOutcome,
  failsMatrix,
  isAcceptedAs,
  isBroken,
  isUncalled,
  isUnknown,
  NOT_TOUCHED,
  outcomeUnderFault,
} from '../outcomes.js';
import { controlsReportOf, linesBeside } from '../report.js';
import { markdownOfSweep } from '../report-as-markdown.js';
import { askedLess, endInWords, shortened, WHY_SILENT } from '../report-for-people.js';
import { controlCases, unknownEnd } from './matrix-junit.js';

interface SweepCommand extends Omit<SweepOptions, 'signal' | 'onProgress'> {
  /** The command without secrets, as reports show it. */
  readonly shown: readonly string[];
  readonly files: readonly (OutputFile | undefined)[];
  readonly format: 'text' | 'markdown';
  readonly accepted: ReadonlySet<string>;
  /** Ends the process if runs cannot be compared with the baseline. */
  readonly failUnlessComparable: (
    command: readonly string[],
    result: SweepResult,
    format: SweepCommand['format'],
  ) => void;
  readonly failUnlessRun: (error: NodeJS.ErrnoException) => never;
}

/** Runs `matrix --faults`. */
export async function runSweep({ files, shown, accepted, ...sweep }: SweepCommand): Promise<void> {
  const { failUnlessComparable, failUnlessRun } = sweep;
  const [jsonFile, junitFile] = files;
  const startedAt = new Date().toISOString();
  const progress = createProgress(process.stderr);
  const result = await untilInterrupted((signal) => {
    process.stderr.write(`Baseline: ${shown.join(' ')}\n`);
    const onProgress: SweepOptions['onProgress'] = (done, all, run) =>
      progress.show(
        done,
        all,
        run && {
          line: lineOf(run),
          isNotable: failsMatrix(run) || Boolean(run.notCalled?.length),
        },
      );
    return sweepFaults({ ...sweep, signal, onProgress }).catch(failUnlessRun);
  }).finally(progress.clear);
  if (result === undefined) return;
  const runs = result.runs.map((run) => ({
    ...run,
    isAccepted: isAcceptedAs(nameOfCell(run), run.outcome, accepted),
  }));
  const faults = runs.map(({ output: _output, coverage: _coverage, ...run }) => ({
    ...run,
    outcome: outcomeUnderFault(run),
  }));
  const report = { command: shown, ...controlsReportOf(result), faults };
  jsonFile?.write(`${JSON.stringify(report, undefined, 2)}\n`);
  const cases = [...controlCases('faults', result), ...runs.map(caseOf)];
  junitFile?.write(junitXml({ name: shown.join(' '), startedAt, cases }));
  failUnlessComparable(shown, result, sweep.format);
  const newLinesOf = linesBeside(result.baseline);
  process.stdout.write(
    sweep.format === 'markdown'
      ? markdownOfSweep(shown, runs, newLinesOf)
      : tableOf(shown, runs, newLinesOf),
  );
  process.exitCode = runs.some(failsMatrix) ? EXIT.somethingDiffers : 0;
}

type JudgedRun = FaultRun & { readonly isAccepted?: boolean };

const HEADINGS = ['operation', 'fault', 'outcome', 'met', 'attempts'] as const;
const WIDTHS = [20, 18, 13, 5] as const;

function lineOf(run: JudgedRun): string {
  const { operationId, fault, met, attempts, notCalled } = run;
  const outcome = outcomeUnderFault(run);
  const counts = met === 0 && attempts === 0 ? [] : [met, attempts];
  const cells = row([operationId, fault, outcome, ...counts]);
  const isNeeded = run.outcome === 'failed';
  const accepted = run.isAccepted ? `accepted${isNeeded ? '' : ' (not needed)'}` : '';
  return [cells, accepted, askedLess(notCalled)].filter(Boolean).join('  ');
}

function row(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, nth) => String(cell).padEnd(WIDTHS[nth] ?? 0))
    .join('')
    .trimEnd();
}

const SURELY_COUNTED: readonly FaultOutcome[] = ['survived', 'failed', 'hung', NOT_TOUCHED];

function tableOf(
  command: readonly string[],
  runs: readonly JudgedRun[],
  newLinesOf: (output: string) => string,
): string {
  const outcomes = runs.map(outcomeUnderFault);
  const counts = [...new Set([...SURELY_COUNTED, ...outcomes])].map(
    (outcome) => `${outcomes.filter((one) => one === outcome).length} ${outcome}`,
  );
  const less = runs.filter(({ notCalled }) => notCalled.length > 0).length;
  const isSilent = runs.some(({ outcome }) => isUncalled(outcome));
  return [
    `${command.join(' ')}, where each account's first call to an operation meets a fault`,
    '',
    row(HEADINGS),
    ...runs.map(lineOf),
    '',
    `${counts.join(', ')}${less > 0 ? `; ${less} did not call every operation that the baseline called` : ''}.`,
    ...(isSilent ? [WHY_SILENT] : []),
    ...runs.filter(isBroken).flatMap((run) => describe(run, newLinesOf)),
    '',
  ].join('\n');
}

function describe(run: JudgedRun, newLinesOf: (output: string) => string): string[] {
  const lines = shortened(newLinesOf(run.output)).map((line) => `  | ${line}`);
  return ['', `${nameOfCell(run)}: the command ${endInWords(run)}.`, ...lines];
}

function caseOf(run: JudgedRun): JunitCase {
  const { operationId, fault, met, attempts, durationMs, output: text } = run;
  const one = { classname: `faults.${operationId}`, name: fault, durationMs };
  if (isUnknown(run.outcome)) return { ...one, end: unknownEnd(run, WHY_SILENT) };
  const less = askedLess(run.notCalled);
  if (run.outcome === 'passed') return { ...one, output: less };
  if (run.outcome === NOT_TOUCHED)
    return { ...one, end: { kind: 'skipped', message: NOT_TOUCHED, text: less } };
  const touched = `${count(met, 'request')} met the fault in ${count(attempts, 'attempt')}`;
  const message = `${outcomeUnderFault(run)}: ${endInWords(run)}; ${touched}`;
  return run.isAccepted
    ? { ...one, end: { kind: 'skipped', message: `accepted: ${message}`, text } }
    : { ...one, end: { kind: 'failure', message, text } };
}
