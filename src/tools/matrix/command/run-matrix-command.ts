import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { DecisionId } from '#spec';
import { invalidValue, OptionError } from '../../../core/errors/option-error.js';
import { readFixtureFile } from '../../../host/server/datasets/fixture-files.js';
import { COMMAND_VARIABLES } from '../../../host/server/process/run-environment.js';
import { EXIT, fail, untilInterrupted } from '../../../host/terminal/exit.js';
import { optionsOf } from '../../../host/terminal/flags-and-variables.js';
import { createOutputFiles } from '../../../host/terminal/output-file.js';
import { createProgress } from '../../../host/terminal/progress.js';
import { redactionOfRun } from '../../../host/terminal/redact-run.js';
import { whyNotStarted } from '../../../host/terminal/run-command.js';
import { alternativesNamed, nameOf } from '../alternatives.js';
import { cellsNamed, nameOfCell } from '../fault-sweep.js';
import { failsMatrix, NO_REQUESTS, NOT_TOUCHED } from '../outcomes.js';
import { hasFailed, reportOf } from '../report.js';
import { markdownOf, markdownOfEnding } from '../report-as-markdown.js';
import {
  adviceOnJobs,
  askedLess,
  endInWords,
  reportForPeople,
  WHY_SILENT,
  whyNoFailure,
} from '../report-for-people.js';
import { type MatrixRun, runMatrix } from '../run-matrix.js';
import { type Controls, canCompare } from '../trials.js';
import { runSweep } from './matrix-faults.js';
import { type MatrixFlags, SERVER_FLAGS } from './matrix-flags.js';
import { matrixJunitOf } from './matrix-junit.js';

export async function runMatrixCommand(matrix: Command, command: readonly string[]): Promise<void> {
  const flags = matrix.opts<MatrixFlags>();
  const { only, onlyTouched = false, canary: hasCanary, ...others } = flags;
  const { jobs, timeout, ...files } = others;
  const timeoutMs = timeout && timeout * 1000;
  // Reports redact the command; the command itself runs as given.
  const { command: shown, redact } = redactionOfRun(command, process.env);
  const acceptedNames = readAcceptFile(files.accept);
  let accepted: ReadonlySet<string> = new Set();
  let wanted: readonly DecisionId[] = [];
  // Before the runs, which may take long: checks that the files can be written.
  const [jsonFile, junitFile] = createOutputFiles(files.report, files.junit);
  if (flags.faults) {
    refuseWithFaults(flags);
    const server = optionsOf(matrix, SERVER_FLAGS);
    const checks = { failUnlessComparable, failUnlessRun };
    return runSweep({
      format: flags.format,
      cells: only && cellsNamed(only, '--only'),
      accepted: new Set(cellsNamed(acceptedNames, `${files.accept}`).map(nameOfCell)),
      command,
      shown,
      redact,
      server,
      hasCanary,
      jobs,
      timeoutMs,
      files: [jsonFile, junitFile],
      ...checks,
    });
  }
  const startedAt = new Date().toISOString();
  const progress = createProgress(process.stderr);
  const result = await untilInterrupted((signal) => {
    process.stderr.write(`Baseline: ${shown.join(' ')}\n`);
    return runMatrix({
      command,
      redact,
      server: optionsOf(matrix, SERVER_FLAGS),
      choose(all) {
        accepted = new Set(alternativesNamed(acceptedNames, all, `${files.accept}`).map(nameOf));
        if (!only) return all;
        const named = alternativesNamed(only, all, '--only');
        // What is skipped on purpose is not missed.
        if (!onlyTouched) wanted = [...new Set(named.map(({ decision }) => decision))];
        return named;
      },
      hasCanary,
      isOnlyTouched: onlyTouched,
      jobs,
      timeoutMs,
      signal,
      onProgress: (done, all, run) => progress.show(done, all, run && stepOf(run)),
    }).catch(failUnlessRun);
  }).finally(progress.clear);
  if (result === undefined) return;
  const report = reportOf(shown, result, accepted, wanted);
  junitFile?.write(matrixJunitOf(shown, startedAt, result, report));
  jsonFile?.write(`${JSON.stringify(report, null, 2)}\n`);
  failUnlessComparable(shown, result, flags.format);
  process.stdout.write(flags.format === 'markdown' ? markdownOf(report) : reportForPeople(report));
  process.stderr.write(adviceOnJobs(result, jobs));
  process.exitCode = hasFailed(report) ? EXIT.somethingDiffers : 0;
}

function refuseWithFaults({ onlyTouched }: MatrixFlags): void {
  if (!onlyTouched) return;
  throw new OptionError(
    '--only-touched cannot be used with --faults, which runs no alternatives; leave out one of them.',
  );
}

/** Reads the file of `--accept`: a list of names as in `--only`. */
function readAcceptFile(path: string | undefined): readonly string[] {
  if (path === undefined) return [];
  const { value } = readFixtureFile(resolve(path));
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  throw invalidValue(path, value, { expected: 'a list of names as in --only' });
}

function stepOf(run: MatrixRun) {
  const { alternative, outcome } = run;
  const noted = outcome === NO_REQUESTS || outcome === NOT_TOUCHED ? outcome : '';
  const line = [`${nameOf(alternative)} ${endInWords(run)}`, noted, askedLess(run.notCalled)];
  const isNotable = failsMatrix(run) || run.notCalled.length > 0;
  return { line: line.filter(Boolean).join(', '), isNotable };
}

function failUnlessRun(error: NodeJS.ErrnoException): never {
  if (!error.syscall?.startsWith('spawn')) throw error;
  fail(EXIT.wrongUse, `${whyNotStarted(error)} Give a command after --, such as -- npm test.`);
}

/** Ends the command if runs cannot be compared, after a summary of the job if it prints one. */
function failUnlessComparable(
  command: readonly string[],
  controls: Controls,
  format: MatrixFlags['format'],
): void {
  if (canCompare(controls)) return;
  const [exitCode, sentence] = whyNotComparable(command, controls);
  process.stderr.write((controls.canary ?? controls.baseline).output);
  if (format === 'markdown') process.stdout.write(markdownOfEnding(command, sentence));
  fail(exitCode, sentence);
}

function whyNotComparable(
  command: readonly string[],
  { baseline, canary }: Controls,
): readonly [exitCode: number, sentence: string] {
  const shown = command.join(' ');
  if (canary) {
    const seen = `${shown} passed the canary run, in which every call gets a 500 (its output is above), so it cannot fail.`;
    return [EXIT.somethingDiffers, `${seen} ${whyNoFailure(canary)}`];
  }
  if (baseline.exitCode === 0) {
    return [
      EXIT.wrongUse,
      `${shown} passed without calling a mock (its output is above), so no alternative or fault could break it. Have it send its requests to $${COMMAND_VARIABLES.url} with the bearer token $${COMMAND_VARIABLES.token}; both are set. Or let it start and stop its own mock with useMockServer, createMockServer or this command. ${WHY_SILENT}`,
    ];
  }
  return [
    EXIT.somethingDiffers,
    `The baseline, ${shown}, ${endInWords(baseline)} (its output is above), so there is nothing to compare other runs with. Make it pass first; ${COMMAND_VARIABLES.url} and ${COMMAND_VARIABLES.token} are set.`,
  ];
}
