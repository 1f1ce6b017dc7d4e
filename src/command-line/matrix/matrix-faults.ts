import {
  type FaultRun,
  nameOfCell,
  type SweepOptions,
  type SweepResult,
  sweepFaults,
} from '../../matrix/fault-sweep.js';
import {
  type FaultOutcome,
  failsSweep,
  isBrokenByFault,
  NO_REQUESTS,
  NOT_TOUCHED,
} from '../../matrix/outcomes.js';
import { linesBeside } from '../../matrix/report.js';
import { markdownOfSweep } from '../../matrix/report-as-markdown.js';
import { askedLess, endInWords, shortened, whySilent } from '../../matrix/report-for-people.js';
import { count } from '../../values/plural.js';
import { EXIT, untilInterrupted } from '../exit.js';
import { type JunitCase, junitXml } from '../junit.js';
import type { OutputFile } from '../output-file.js';
import { createProgress } from '../progress.js';

interface SweepCommand extends Omit<SweepOptions, 'signal' | 'onProgress'> {
  /** The command without secrets, as reports show it. */
  readonly shown: readonly string[];
  readonly files: readonly (OutputFile | undefined)[];
  readonly format: 'text' | 'markdown';
  readonly accepted: ReadonlySet<string>;
  /** Ends the process if runs cannot be compared with the baseline. */
  readonly failUnlessComparable: (
    command: readonly string[],
    result: Pick<SweepResult, 'baseline'>,
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
          isNotable: failsSweep(run) || Boolean(run.notCalled?.length),
        },
      );
    return sweepFaults({ ...sweep, signal, onProgress }).catch(failUnlessRun);
  }).finally(progress.clear);
  if (result === undefined) return;
  failUnlessComparable(shown, result);
  const runs = result.runs.map((run) => ({
    ...run,
    isAccepted: run.outcome !== NO_REQUESTS && accepted.has(nameOfCell(run)),
  }));
  const newLinesOf = linesBeside(result.baseline);
  process.stdout.write(
    sweep.format === 'markdown'
      ? markdownOfSweep(shown, runs, newLinesOf)
      : tableOf(shown, runs, newLinesOf),
  );
  const faults = runs.map(({ output: _output, coverage: _coverage, ...run }) => run);
  jsonFile?.write(`${JSON.stringify({ command: shown, faults }, undefined, 2)}\n`);
  junitFile?.write(junitXml({ name: shown.join(' '), startedAt, cases: runs.map(caseOf) }));
  process.exitCode = runs.some(failsSweep) ? EXIT.somethingDiffers : 0;
}

type JudgedRun = FaultRun & { readonly isAccepted?: boolean };

const HEADINGS = ['operation', 'fault', 'outcome', 'met', 'attempts'] as const;
const WIDTHS = [20, 18, 13, 5] as const;

function lineOf(run: JudgedRun): string {
  const { operationId, fault, outcome, met, attempts, notCalled } = run;
  const counts = outcome === NOT_TOUCHED || outcome === NO_REQUESTS ? [] : [met, attempts];
  const cells = row([operationId, fault, outcome, ...counts]);
  const isInVain = outcome === 'survived' || outcome === NOT_TOUCHED;
  const accepted = run.isAccepted ? `accepted${isInVain ? ' (not needed)' : ''}` : '';
  return [cells, accepted, askedLess(notCalled)].filter(Boolean).join('  ');
}

function row(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, nth) => String(cell).padEnd(WIDTHS[nth] ?? 0))
    .join('')
    .trimEnd();
}

const SURELY_COUNTED = ['survived', 'failed', 'hung', NOT_TOUCHED] as const;

function tableOf(
  command: readonly string[],
  runs: readonly JudgedRun[],
  newLinesOf: (output: string) => string,
): string {
  const counts = ([...SURELY_COUNTED, NO_REQUESTS] satisfies FaultOutcome[]).flatMap((outcome) => {
    const number = runs.filter((run) => run.outcome === outcome).length;
    return number === 0 && outcome === NO_REQUESTS ? [] : [`${number} ${outcome}`];
  });
  const less = runs.filter(({ notCalled = [] }) => notCalled.length > 0).length;
  const silent = runs.filter(({ outcome }) => outcome === NO_REQUESTS);
  const whys = new Set(silent.map(({ ownMocks }) => whySilent(ownMocks?.unwritten)));
  return [
    `${command.join(' ')}, where each account's first call to an operation meets a fault`,
    '',
    row(HEADINGS),
    ...runs.map(lineOf),
    '',
    `${counts.join(', ')}${less > 0 ? `; ${less} did not call every operation that the baseline called` : ''}.`,
    ...whys,
    ...runs.filter(isBrokenByFault).flatMap((run) => describe(run, newLinesOf)),
    '',
  ].join('\n');
}

function describe(run: JudgedRun, newLinesOf: (output: string) => string): string[] {
  const { durationMs = 0, exitCode = null, hasTimedOut = false, output = '' } = run;
  const ended = endInWords({ durationMs, exitCode, hasTimedOut });
  const lines = shortened(newLinesOf(output)).map((line) => `  | ${line}`);
  return ['', `${nameOfCell(run)}: the command ${ended}.`, ...lines];
}

function caseOf({ operationId, fault, outcome, met, attempts, ...end }: JudgedRun): JunitCase {
  const { durationMs = 0, exitCode = null, hasTimedOut = false, output = '' } = end;
  const one = { classname: `faults.${operationId}`, name: fault, durationMs };
  const less = askedLess(end.notCalled);
  if (outcome === 'survived') return { ...one, output: less };
  if (outcome === NO_REQUESTS) {
    const message = `${outcome}: ${whySilent(end.ownMocks?.unwritten)}`;
    return { ...one, end: { kind: 'failure', message, text: output } };
  }
  if (outcome === NOT_TOUCHED)
    return { ...one, end: { kind: 'skipped', message: outcome, text: less } };
  const ended = endInWords({ durationMs, exitCode, hasTimedOut });
  const touched = `${count(met, 'request')} met the fault in ${count(attempts, 'attempt')}`;
  const message = `${outcome}: ${ended}; ${touched}`;
  return end.isAccepted
    ? { ...one, end: { kind: 'skipped', message: `accepted: ${message}`, text: output } }
    : { ...one, end: { kind: 'failure', message, text: output } };
}
