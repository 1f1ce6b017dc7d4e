import { count } from '../../core/values/plural.js';
import { nameOf } from './alternatives.js';
import { type FaultRun, nameOfCell } from './fault-sweep.js';
import {
  FLAKY,
  failsMatrix,
  isBroken,
  isUncalled,
  isUnknown,
  NO_REQUESTS,
  NOT_SEEN,
  NOT_TOUCHED,
  type Outcome,
  outcomeUnderFault,
} from './outcomes.js';
import type { AlternativeReport, MatrixReport } from './report.js';
import {
  CALLED_ONLY_BY_BASELINE,
  endInWords,
  NAMED_BUT_NOT_TOUCHED,
  shortened,
  touchedLines,
  WHY_SILENT,
  why,
  whyUncalled,
} from './report-for-people.js';

/** Formats a matrix for the summary of a CI job: what breaks the command, and why. */
export function markdownOf(report: MatrixReport): string {
  const { alternatives: ends } = report;
  const broken = ends.filter(isBroken);
  const unknown = ends.filter(({ outcome }) => isUnknown(outcome));
  const accepted = ends.filter(({ outcome, isAccepted }) => outcome === 'failed' && isAccepted);
  return [
    `## Matrix of ${code(report.command.join(' '))}`,
    '',
    ...summaryOf(
      ends.filter(({ isRun }) => isRun),
      whyUncalled,
    ),
    ...touchedLines(report)
      .slice(0, 1)
      .flatMap((line) => [line, '']),
    ...namesOf(CALLED_ONLY_BY_BASELINE, report.notSeen),
    ...namesOf(NAMED_BUT_NOT_TOUCHED, report.notTouched),
    ...table(['alternative', 'question', 'the command'], [...broken, ...unknown].map(rowOf)),
    ...namesOf('Accepted', accepted.map(nameOf)),
    ...broken.flatMap((end) => details(nameOf(end), [...why(end), ...shortened(end.output ?? '')])),
  ].join('\n');
}

/** Says in the summary of a CI job why there is nothing to report. */
export function markdownOfEnding(command: readonly string[], sentence: string): string {
  return [`## Matrix of ${code(command.join(' '))}`, '', sentence, ''].join('\n');
}

/** Formats a sweep of faults for the summary of a CI job. */
export function markdownOfSweep(
  command: readonly string[],
  runs: readonly JudgedRun[],
  newLinesOf: (output: string) => string,
): string {
  const touched = runs.filter(({ outcome }) => outcome !== NOT_TOUCHED);
  const row = (run: JudgedRun) => {
    const outcome = outcomeUnderFault(run);
    const shown = run.isAccepted ? `${outcome}, accepted` : outcome;
    return [code(nameOfCell(run)), shown, String(run.attempts)];
  };
  return [
    `## Faults in ${code(command.join(' '))}`,
    '',
    ...summaryOf(touched, () => WHY_SILENT),
    ...table(['fault', 'outcome', 'attempts'], touched.map(row)),
    ...runs
      .filter(failsMatrix)
      .flatMap((run) => details(nameOfCell(run), shortened(newLinesOf(run.output)))),
  ].join('\n');
}

type JudgedRun = FaultRun & { readonly isAccepted: boolean };

/** Outcomes that prove nothing, in words. */
const PROVING_NOTHING = {
  [NO_REQUESTS]: 'passed without a request',
  [NOT_SEEN]: 'passed without the requests that matter',
  [FLAKY]: 'failed only sometimes',
} as const;

/** How many runs failed, how many prove nothing, and what helps. */
function summaryOf(
  runs: readonly { readonly outcome: Outcome; readonly isAccepted: boolean }[],
  whyOf: (outcome: Outcome) => string,
): string[] {
  const failed = `${runs.filter(isBroken).length} of ${count(runs.length, 'run')} failed unexpectedly`;
  const unknown = Object.entries(PROVING_NOTHING).flatMap(([outcome, words]) => {
    const number = runs.filter((run) => run.outcome === outcome).length;
    return number === 0 ? [] : [`${number} ${words}`];
  });
  const uncalled = runs.flatMap(({ outcome }) => (isUncalled(outcome) ? whyOf(outcome) : []));
  return [[`${[failed, ...unknown].join('; ')}.`, ...new Set(uncalled)].join(' '), ''];
}

function rowOf(end: AlternativeReport): string[] {
  const ended = isUnknown(end.outcome) ? end.outcome : endInWords(end);
  return [code(nameOf(end)), end.question, ended];
}

function namesOf(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${title}: ${names.map(code).join(', ')}.`, ''];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

function details(name: string, lines: readonly string[]): string[] {
  const fence = fenceFor(lines.join('\n'), 3);
  return [
    `<details><summary>${name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</summary>`,
    '',
    `${fence}text`,
    ...lines,
    fence,
    '',
    '</details>',
    '',
  ];
}

function code(text: string): string {
  const fence = fenceFor(text, 1);
  return `${fence}${text.replaceAll(/\s+/g, ' ')}${fence}`;
}

/** More backticks than the text has in a row. */
function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(least, longest + 1));
}
