import type { JournalRequest } from '#spec';
import { count } from '../../core/values/plural.js';
import { cut } from '../../core/values/received-value.js';
import { sentLines } from '../../core/values/sent-lines.js';
import { COMMAND_VARIABLES } from '../../host/server/process/run-environment.js';
import type { CommandEnd } from '../../host/terminal/run-command.js';
import { inParagraphs } from '../../host/terminal/wrap-text.js';
import { nameOf } from './alternatives.js';
import { FLAKY, isBroken, NO_REQUESTS, NOT_SEEN, NOT_TOUCHED, type Outcome } from './outcomes.js';
import { type AlternativeReport, type EndReport, hasFailed, type MatrixReport } from './report.js';
import type { RunRequest } from './requests-of-run.js';
import type { MatrixResult } from './run-matrix.js';
import { isSilent, type RunEnd } from './single-run.js';

/** How many lines to show of an output's beginning, and of its end. */
const MAX_LINES = 5;
const MAX_LINE_LENGTH = 120;
const MAX_TARGET_LENGTH = 60;

export function reportForPeople(report: MatrixReport): string {
  const { command, baseline, alternatives } = report;
  const namesOf = (isWanted: (one: AlternativeReport) => boolean) =>
    alternatives.filter(isWanted).map(nameOf);
  return inParagraphs([
    [
      `${command.join(' ')}, under ${count(alternatives.length, 'alternative')}`,
      `The baseline passed in ${seconds(baseline)} with ${count(baseline.requests, 'request')}.`,
    ],
    ...alternatives.filter(isBroken).map(describe),
    ...conclusionOf(report),
    ...uncalledLines(alternatives),
    listOf(`${CALLED_ONLY_BY_BASELINE}:`, report.notSeen),
    listOf(`${NAMED_BUT_NOT_TOUCHED}:`, report.notTouched),
    listOf(
      `${FAILED_NOT_EACH_TIME}:`,
      namesOf(({ outcome }) => outcome === FLAKY),
    ),
    listOf(
      'Passed, but did not call every operation that the baseline called:',
      alternatives.flatMap((one) =>
        one.notCalled ? [`${nameOf(one)} ${askedLess(one.notCalled)}`] : [],
      ),
    ),
    touchedLines(report),
    listOf(
      'Accepted:',
      namesOf(({ isAccepted, outcome }) => isAccepted && outcome === 'failed'),
    ),
    listOf(
      'Accepted, but breaks nothing:',
      namesOf(({ isAccepted, outcome }) => isAccepted && outcome !== 'failed'),
    ),
  ]);
}

/** The operations that only the baseline called, in words; empty if there are none. */
export function askedLess(notCalled: readonly string[] = []): string {
  return notCalled.length === 0 ? '' : `never called ${notCalled.join(', ')}`;
}

/** Why a run may have passed without the requests that matter, and what helps. */
export const WHY_SILENT = `A cache may have answered. Make the tests run each time (go test: -count=1; Gradle: --rerun-tasks; Bazel: --nocache_test_results; nx: --skip-nx-cache), or have them read ${COMMAND_VARIABLES.run}, which differs in each run.`;

/** Why a run did not touch a decision that the baseline touched, and what helps. */
const WHY_NOT_SEEN = `If the tests switch the decision themselves, name the others with --only. Otherwise: ${WHY_SILENT}`;

const UNCALLED = {
  [NO_REQUESTS]:
    'Passed without sending a request, although the baseline sent some. These runs prove nothing:',
  [NOT_SEEN]:
    'Passed without touching the decision, although the baseline touched it. These runs prove nothing:',
} as const;

export function whyUncalled(outcome: Outcome): string {
  return outcome === NOT_SEEN ? WHY_NOT_SEEN : WHY_SILENT;
}

export const CALLED_ONLY_BY_BASELINE =
  'Called by the baseline, but by no other run, so nothing is known about these operations';

export const NAMED_BUT_NOT_TOUCHED =
  'Named with --only, but not touched, so nothing is known. Leave it out, or test a call that it affects';

export const FAILED_NOT_EACH_TIME =
  'Flaky: failed only sometimes, or the baseline failed as well when it ran again';

/** Why a command that passes although every call fails shows nothing, and what helps. */
export function whyNoFailure(canary: RunEnd): string {
  return isSilent(canary)
    ? `It passes again without sending a request. ${WHY_SILENT}`
    : 'It passes although every call gets a 500, so no alternative or fault could make it fail. It may lose an exit code ("tests | tee log" without "set -o pipefail", "tests || true") or swallow errors. If all its tests expect refusals, add --no-canary.';
}

/** The runs that passed without the requests that matter, grouped by what helps. */
function uncalledLines(ends: readonly AlternativeReport[]): string[][] {
  return ([NO_REQUESTS, NOT_SEEN] as const).flatMap((outcome) => {
    const uncalled = ends.filter((end) => end.outcome === outcome);
    if (uncalled.length === 0) return [];
    return [[UNCALLED[outcome], ...uncalled.map(nameOf).map(indented), whyUncalled(outcome)]];
  });
}

export function endInWords(end: Omit<CommandEnd, 'output'>): string {
  if (end.hasTimedOut) return `timed out after ${seconds(end)}`;
  if (end.exitCode === null) return `ended by a signal after ${seconds(end)}`;
  const code = end.exitCode === 0 ? '' : ` with exit code ${end.exitCode}`;
  return `${end.exitCode === 0 ? 'passed' : 'failed'} in ${seconds(end)}${code}`;
}

function conclusionOf(report: MatrixReport): string[][] {
  const { alternatives } = report;
  const decisions = [...new Set(alternatives.filter(isBroken).map(({ decision }) => decision))];
  if (decisions.length > 0) {
    return [listOf(`The command depends on ${count(decisions.length, 'decision')}:`, decisions)];
  }
  if (hasFailed(report)) return [];
  return alternatives.some(({ outcome }) => outcome === 'failed')
    ? [['Nothing breaks the command except what is accepted.']]
    : [['No alternative breaks the command.']];
}

/** As many names as fit into a line of a list. */
const LINE_OF_LIST = /.{1,76}(?:, |$)/g;

/** How many alternatives were not touched, and then which. */
export function touchedLines({ alternatives }: MatrixReport): string[] {
  const passed = alternatives.filter(({ outcome }) => outcome === 'passed').length;
  const untouched = alternatives.filter(({ outcome }) => outcome === NOT_TOUCHED);
  if (untouched.length === 0) return [];
  const skipped = untouched.filter(({ isRun }) => !isRun).length;
  const isOne = untouched.length === 1;
  const skips = `; --only-touched skips ${isOne ? 'it' : 'them'}`;
  const how = skipped > 0 ? `; --only-touched skipped ${skipped}` : skips;
  return [
    `${count(passed, 'alternative')} passed, and ${untouched.length} ${isOne ? 'was' : 'were'} not touched${how}.`,
    ...namesAfter(`${isOne ? 'This' : 'These'} affected no response:`, untouched.map(nameOf)),
  ];
}

function namesAfter(title: string, names: readonly string[]): string[] {
  const lines = names.join(', ').match(LINE_OF_LIST) ?? [];
  return [title, ...lines.map((line) => indented(line.trimEnd()))];
}

function describe(one: AlternativeReport): string[] {
  const output = shortened(one.output ?? '').map((line) => `| ${line}`);
  return [`${nameOf(one)} (section ${one.section})`, ...[...why(one), ...output].map(indented)];
}

/** The question, the value that was tried, how the command ended, and which exchange shows it. */
export function why(one: AlternativeReport): string[] {
  const { question, meaning } = one;
  return [question, meaning, `The command ${endInWords(one)}.`, ...exchangeLines(one)];
}

/** Keeps both ends: some test runners print failures first, and others last. */
export function shortened(output: string): string[] {
  if (output === '') return [];
  const lines = output.split('\n').map((line) => cut(line, MAX_LINE_LENGTH));
  if (lines.length <= 2 * MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), '…', ...lines.slice(-MAX_LINES)];
}

function exchangeLines({ firstOther, last }: EndReport): string[] {
  if (firstOther) return [`${exchangeOf(firstOther)}:`, ...linesOf(firstOther)];
  if (!last) return [];
  return [
    'No response differs from the baseline (compared: statuses, problems, body lengths, and bodies of up to 16 kB). The last exchange:',
    ...linesOf(last),
  ];
}

function exchangeOf({ account, hasFailed }: RunRequest): string {
  if (account === undefined) return 'The first exchange that differs from the baseline';
  const of = hasFailed ? `the failed test ${account}` : `the account ${account}`;
  return `The first exchange of ${of} that differs from the baseline`;
}

function linesOf(exchange: JournalRequest): string[] {
  const { method, path, query, status = 'no response', problem, responseBytes } = exchange;
  const target = query === undefined ? path : `${path}?${query}`;
  const bytes = responseBytes === undefined ? '' : `${responseBytes} bytes`;
  const response = [status, problem, bytes].filter(Boolean).join(', ');
  const line = `${method} ${cut(target, MAX_TARGET_LENGTH)} -> ${response}`;
  return [line, ...sentLines(exchange).map(indented)].map(indented);
}

function listOf(title: string, names: readonly string[] = []): string[] {
  return names.length === 0 ? [] : [title, ...names.map(indented)];
}

function indented(line: string): string {
  return `  ${line}`;
}

const LONG_MS = 60_000;
const ADVISED_JOBS = 4;

/**
 * Says how much time several runs at once could save; empty unless the matrix took long with one
 * run after another.
 */
export function adviceOnJobs({ runs }: MatrixResult, jobs: number): string {
  const durationMs = runs.reduce((sum, run) => sum + run.durationMs, 0);
  if (jobs > 1 || durationMs < LONG_MS) return '';
  const about = seconds({ durationMs: durationMs / ADVISED_JOBS });
  return `The runs took ${seconds({ durationMs })}, one after another. If they may run beside each other, --jobs ${ADVISED_JOBS} can bring that down to ${about}.\n`;
}

function seconds({ durationMs }: { readonly durationMs: number }): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
