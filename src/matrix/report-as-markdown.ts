import { count } from '../values/plural.js';
import { nameOfAll } from './alternatives.js';
import { type FaultRun, nameOfCell } from './fault-sweep.js';
import { failsSweep, isBroken, isBrokenByFault, NO_REQUESTS, NOT_TOUCHED } from './outcomes.js';
import { type CombinationReport, endsOf, type MatrixReport } from './report.js';
import { endInWords, shortened, why, whySilent } from './report-for-people.js';

/** Formats a matrix for the summary of a CI job: what breaks the command, and why. */
export function markdownOf(report: MatrixReport): string {
  const ends = endsOf(report);
  const broken = ends.filter(isBroken);
  const silent = ends.filter(({ outcome }) => outcome === NO_REQUESTS);
  const accepted = ends.filter(({ differs, isAccepted }) => differs && isAccepted);
  return [
    `## Matrix of ${code(report.command.join(' '))}`,
    '',
    ...summaryOf(
      broken,
      ends.filter(({ isRun }) => isRun),
      silent.map(({ unwrittenMocks }) => unwrittenMocks),
    ),
    ...table(['alternative', 'question', 'the command'], [...broken, ...silent].map(rowOf)),
    ...namesOf('Accepted', accepted),
    ...broken.flatMap((end) =>
      details(nameOfAll(end.alternatives), [...why(end), ...shortened(end.output ?? '')]),
    ),
  ].join('\n');
}

/** Formats a sweep of faults for the summary of a CI job. */
export function markdownOfSweep(
  command: readonly string[],
  runs: readonly (FaultRun & { readonly isAccepted: boolean })[],
  newLinesOf: (output: string) => string,
): string {
  const failed = runs.filter(failsSweep);
  const touched = runs.filter(({ outcome }) => outcome !== NOT_TOUCHED);
  const silent = runs.filter(({ outcome }) => outcome === NO_REQUESTS);
  const row = (run: (typeof runs)[number]) => [
    code(nameOfCell(run)),
    run.isAccepted ? `${run.outcome}, accepted` : run.outcome,
    String(run.attempts),
  ];
  return [
    `## Faults in ${code(command.join(' '))}`,
    '',
    ...summaryOf(
      runs.filter(isBrokenByFault),
      touched,
      silent.map(({ ownMocks }) => ownMocks?.unwritten),
    ),
    ...table(['fault', 'outcome', 'attempts'], touched.map(row)),
    ...failed.flatMap((run) => details(nameOfCell(run), shortened(newLinesOf(run.output ?? '')))),
  ].join('\n');
}

/** How many runs failed, and why those without a request prove nothing. */
function summaryOf(
  broken: readonly unknown[],
  runs: readonly unknown[],
  silent: readonly (number | undefined)[],
): string[] {
  const failed = `${broken.length} of ${count(runs.length, 'run')} failed unexpectedly`;
  if (silent.length === 0) return [`${failed}.`, ''];
  const whys = [...new Set(silent.map(whySilent))];
  return [`${failed}, and ${silent.length} passed without a request. ${whys.join(' ')}`, ''];
}

function rowOf(end: CombinationReport): string[] {
  const questions = end.alternatives.map(({ question }) => question);
  const ended = end.outcome === NO_REQUESTS ? NO_REQUESTS : endInWords(end);
  return [code(nameOfAll(end.alternatives)), questions.join(' '), ended];
}

function namesOf(title: string, ends: readonly CombinationReport[]): string[] {
  const names = ends.map(({ alternatives }) => code(nameOfAll(alternatives)));
  return names.length === 0 ? [] : [`${title}: ${names.join(', ')}.`, ''];
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
