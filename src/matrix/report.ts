import { stripVTControlCharacters } from 'node:util';
import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { LEDGER, type LedgerRow } from '../decisions/ledger.js';
import { cut } from '../messages/received-value.js';
import { nameOf } from './alternatives.js';
import { firstDifference } from './first-difference.js';
import type { MatrixResult } from './run-matrix.js';

/** The result of a matrix, as JSON. */
export interface MatrixReport {
  readonly command: readonly string[];
  readonly baseline: { readonly durationMs: number; readonly requests: number };
  readonly alternatives: readonly AlternativeReport[];
}

/** The result of one alternative. */
interface AlternativeReport {
  readonly decision: string;
  readonly value: string;
  readonly section: string;
  readonly question: string;
  readonly meaning: string;
  readonly differs: boolean;
  readonly isAccepted: boolean;
  readonly exitCode: number | null;
  readonly hasTimedOut: boolean;
  readonly durationMs: number;
  /** The first exchange that differs from the baseline: in its target, status, problem or length. */
  readonly firstOther?: JournalRequest;
  /** The last exchange before the command ended. */
  readonly last?: JournalRequest;
  /** The output that is not in the baseline's: each line once, no stack frames. */
  readonly output?: string;
}

/** Creates the report of a matrix. */
export function reportOf(
  command: readonly string[],
  { baseline, runs }: MatrixResult,
  accepted: ReadonlySet<string>,
): MatrixReport {
  const written = new Set(linesOf(baseline.output).map(withoutFigures));
  return {
    command,
    baseline: { durationMs: baseline.durationMs, requests: baseline.requests.length },
    alternatives: runs.map((run) => {
      const { decision, value, differs, exitCode, hasTimedOut, durationMs, requests } = run;
      const { section, question, values }: LedgerRow = LEDGER[decision];
      const isAccepted = accepted.has(nameOf(run));
      const meaning = values[value] ?? value;
      const shown = { decision, value, section, question, meaning, differs, isAccepted };
      const end = { ...shown, exitCode, hasTimedOut, durationMs };
      if (!differs) return end;
      const firstOther = firstDifference(requests, baseline.requests);
      const last = requests.at(-1);
      const lines = linesOf(run.output).filter((line) => !written.has(withoutFigures(line)));
      const output = [...new Set(lines)].join('\n');
      return { ...end, ...(firstOther && { firstOther }), ...(last && { last }), output };
    }),
  };
}

/** The report for people: what breaks the command, and why, in at most 80 columns where possible. */
export function reportForPeople({ command, baseline, alternatives }: MatrixReport): string {
  const differing = alternatives.filter(({ differs }) => differs);
  const broken = differing.filter(({ isAccepted }) => !isAccepted);
  const decisions = [...new Set(broken.map(({ decision }) => decision))];
  const paragraphs = [
    [
      `${command.join(' ')}, under ${count(alternatives.length, 'alternative')}`,
      `The baseline passed in ${seconds(baseline.durationMs)} with ${count(baseline.requests, 'request')}.`,
    ],
    ...broken.map(describe),
    decisions.length === 0
      ? ['No alternative breaks it.']
      : [`It depends on ${count(decisions.length, 'decision')}:`, ...decisions.map(indent)],
    ...listOf(
      'Accepted:',
      differing.filter(({ isAccepted }) => isAccepted),
    ),
    ...listOf('Accepted, but breaks nothing:', alternatives.filter(isVain)),
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** How one run of the command ended, in words. */
export function endInWords({ exitCode, hasTimedOut, durationMs }: AlternativeEnd): string {
  if (hasTimedOut) return `timed out after ${seconds(durationMs)}`;
  if (exitCode === null) return `ended by a signal after ${seconds(durationMs)}`;
  return exitCode === 0
    ? `passed in ${seconds(durationMs)}`
    : `failed in ${seconds(durationMs)} with exit code ${exitCode}`;
}

type AlternativeEnd = Pick<AlternativeReport, 'exitCode' | 'hasTimedOut' | 'durationMs'>;

const MOST_LINES = 5;
const LONGEST_LINE = 120;
const LONGEST_TARGET = 60;

function describe(one: AlternativeReport): string[] {
  const { decision, value, section, question, meaning, output = '' } = one;
  const lines = output.split('\n').slice(0, MOST_LINES);
  return [
    `${decision}=${value} (section ${section})`,
    indent(question),
    indent(meaning),
    indent(`The command ${endInWords(one)}.`),
    ...exchangeLines(one).map(indent),
    ...lines.map((line) => indent(`| ${cut(line, LONGEST_LINE)}`)),
  ];
}

function exchangeLines({ firstOther, last }: AlternativeReport): string[] {
  if (firstOther)
    return ['The first exchange that differs from the baseline:', inWords(firstOther)];
  return last ? ['No exchange differs from the baseline; the last:', inWords(last)] : [];
}

function inWords(exchange: JournalRequest): string {
  const { method, path, query, status, problem, answerBytes } = exchange;
  const target = query === undefined ? path : `${path}?${query}`;
  const answer = [
    status ?? 'no answer',
    ...(problem ? [problem] : []),
    ...(answerBytes === undefined ? [] : [`${answerBytes} bytes`]),
  ];
  return `  ${method} ${cut(target, LONGEST_TARGET)} -> ${answer.join(', ')}`;
}

function isVain({ isAccepted, differs }: AlternativeReport): boolean {
  return isAccepted && !differs;
}

function listOf(title: string, alternatives: readonly AlternativeReport[]): string[][] {
  if (alternatives.length === 0) return [];
  return [[title, ...alternatives.map(({ decision, value }) => indent(`${decision}=${value}`))]];
}

/** The lines of an output without empty ones and stack frames. */
function linesOf(output: string): string[] {
  return stripVTControlCharacters(output)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
}

/** Durations, ports and addresses differ from run to run. */
function withoutFigures(line: string): string {
  return line.replaceAll(/\d+/g, '0').trim();
}

function indent(line: string): string {
  return `  ${line}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
