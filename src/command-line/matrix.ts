import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { alternativesNamed, nameOf } from '../matrix/alternatives.js';
import { endInWords, type MatrixReport, reportForPeople, reportOf } from '../matrix/report.js';
import { type MatrixResult, type MatrixRun, runMatrix } from '../matrix/run-matrix.js';
import type { FlagName } from '../options/option-table.js';
import { readAcceptFile } from './accept-file.js';
import { count } from './count-flag.js';
import { codeOfSignal, EXIT, fail, onSignals } from './exit.js';
import { addFlags, collect, optionsOf } from './flags.js';
import { createProgress } from './progress.js';

/** The options of the mock that a matrix accepts. */
const SERVER_FLAGS: readonly FlagName[] = ['dataset', 'seed', 'basePath', 'tlsCert', 'tlsKey'];

interface MatrixFlags {
  readonly only?: readonly string[];
  readonly jobs: number;
  readonly timeout?: number;
  readonly report?: string;
  readonly accept?: string;
}

/** Adds `usage-billing-mock matrix`: runs a command under every alternative of every decision. */
export function addMatrix(program: Command): void {
  const matrix = program
    .command('matrix')
    .description('run a command, such as npm test, under every alternative of every decision')
    .argument('<command...>', 'the command, after --')
    .usage('[options] -- <command...>')
    .option('--only <id>', 'only this decision, or id=value; may be repeated', collect)
    .addOption(count('--jobs <number>', 'how many runs at once').default(1))
    .addOption(
      count('--timeout <seconds>', 'how long a run may take (default: 10 times the baseline)'),
    )
    .option('--report <file>', 'write a report in JSON')
    .option('--accept <file>', 'YAML or JSON list of decisions, or id=value, that may break it')
    .action((command: string[]) => run(matrix, command));
  addFlags(matrix, SERVER_FLAGS, ['decide', 'decisions']);
}

async function run(matrix: Command, command: readonly string[]): Promise<void> {
  const { only, jobs, timeout, report: file, accept } = matrix.opts<MatrixFlags>();
  const accepted = new Set<string>();
  const acceptedNames = accept === undefined ? [] : readAcceptFile(accept);
  // Checked before the runs, which may take long.
  if (file !== undefined) attempt(() => accessSync(dirname(file), constants.W_OK));
  const progress = createProgress(process.stderr);
  const result = await untilInterrupted((signal) => {
    process.stderr.write(`Baseline: ${command.join(' ')}\n`);
    return runMatrix({
      command,
      server: optionsOf(matrix, SERVER_FLAGS),
      choose(all) {
        const found = alternativesNamed(acceptedNames, all, String(accept));
        for (const alternative of found) accepted.add(nameOf(alternative));
        return only ? alternativesNamed(only, all, '--only') : all;
      },
      jobs,
      timeoutMs: timeout && timeout * 1000,
      signal,
      onProgress: (done, all, run) => progress.show(done, all, run && stepOf(run)),
    });
  }).finally(progress.clear);
  if (result === undefined) return;
  failUnlessComparable(command, result);
  const report = reportOf(command, result, accepted);
  process.stdout.write(reportForPeople(report));
  if (file !== undefined) writeReport(file, report);
  const isBroken = report.alternatives.some(({ differs, isAccepted }) => differs && !isAccepted);
  process.exitCode = isBroken ? EXIT.somethingDiffers : 0;
}

/** What progress shows of a run. */
function stepOf(run: MatrixRun) {
  return { line: `${nameOf(run)} ${endInWords(run)}`, isNotable: run.differs };
}

/** The result, or nothing if a signal has come, which ends the process. */
async function untilInterrupted(
  start: (signal: AbortSignal) => Promise<MatrixResult>,
): Promise<MatrixResult | undefined> {
  const interruption = new AbortController();
  let running: Promise<MatrixResult | undefined> | undefined;
  onSignals(codeOfSignal, () => {
    interruption.abort();
    return running;
  });
  running = start(interruption.signal).catch((error: NodeJS.ErrnoException) => {
    if (interruption.signal.aborted) return undefined;
    if (error.syscall?.startsWith('spawn')) {
      const sentence = `Cannot run the command: ${error.message}. Give one after --, such as -- npm test.`;
      fail(EXIT.wrongUse, sentence);
    }
    throw error;
  });
  return running;
}

function writeReport(file: string, report: MatrixReport): void {
  attempt(() => writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`));
}

function attempt(write: () => void): void {
  try {
    write();
  } catch (error) {
    fail(EXIT.wrongUse, `Cannot write the report: ${(error as Error).message}.`);
  }
}

/** Ends the command, and shows its output, if its baseline is no basis for a comparison. */
function failUnlessComparable(command: readonly string[], { baseline }: MatrixResult): void {
  const { exitCode, output, requests } = baseline;
  if (exitCode === 0 && requests.length > 0) return;
  process.stderr.write(output);
  if (exitCode === 0) {
    fail(
      EXIT.wrongUse,
      `${command.join(' ')} passes without a request to the mock, so that no alternative can break it; its output is above. Make it call USAGE_BILLING_MOCK_URL with the bearer token USAGE_BILLING_MOCK_TOKEN, both of which are set.`,
    );
  }
  fail(
    EXIT.somethingDiffers,
    `${command.join(' ')} fails with unchanged decisions (exit code ${exitCode}), so that alternatives cannot be compared with them; its output is above. Make it pass first, with the variables USAGE_BILLING_MOCK_URL and USAGE_BILLING_MOCK_TOKEN, which are set.`,
  );
}
