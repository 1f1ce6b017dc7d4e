import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { cut } from '../messages/received-value.js';
import { TOGETHER } from './alternatives.js';
import type { AlternativeInWords, CombinationReport, EndReport, MatrixReport } from './report.js';

/** The report for people: what breaks the command, and why, in at most 80 columns where possible. */
export function reportForPeople(report: MatrixReport): string {
  const { command, baseline, pairwise } = report;
  const ends = endsOf(report);
  const paragraphs = [
    [
      `${command.join(' ')}, under ${triedIn(report)}`,
      `The baseline passed in ${seconds(baseline.durationMs)} with ${count(baseline.requests, 'request')}.`,
    ],
    ...ends.filter(isBroken).map(describe),
    ...conclusionOf(report),
    ...listOf('Failed once, and passed when run again:', pairwise?.unsteady ?? []),
    ...listOf(
      'Accepted:',
      ends.filter(({ differs, isAccepted }) => differs && isAccepted).map(nameIn),
    ),
    ...listOf('Accepted, but breaks nothing:', [
      ...ends.filter(({ differs, isAccepted }) => !differs && isAccepted).map(nameIn),
      ...(pairwise?.acceptedInVain ?? []),
    ]),
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Whether something breaks the command that is not accepted. */
export function hasBroken(report: MatrixReport): boolean {
  return endsOf(report).some(isBroken);
}

/** How one run of the command ended, in words. */
export function endInWords({ exitCode, hasTimedOut, durationMs }: RunEndInWords): string {
  if (hasTimedOut) return `timed out after ${seconds(durationMs)}`;
  if (exitCode === null) return `ended by a signal after ${seconds(durationMs)}`;
  return exitCode === 0
    ? `passed in ${seconds(durationMs)}`
    : `failed in ${seconds(durationMs)} with exit code ${exitCode}`;
}

type RunEndInWords = Pick<EndReport, 'exitCode' | 'hasTimedOut' | 'durationMs'>;

const MOST_LINES = 5;
const LONGEST_LINE = 120;
const LONGEST_TARGET = 60;

/** The ends of all runs that are reported: each alternative alone, and what breaks it together. */
function endsOf({ alternatives, pairwise }: MatrixReport): readonly CombinationReport[] {
  const alone = alternatives.map((one) => ({ ...one, alternatives: [one] }));
  return [...alone, ...(pairwise?.breaking ?? [])];
}

function isBroken({ differs, isAccepted }: EndReport): boolean {
  return differs && !isAccepted;
}

function triedIn({ alternatives, pairwise }: MatrixReport): string {
  const tried = count(alternatives.length, 'alternative');
  return pairwise ? `${tried} and ${count(pairwise.pairs, 'pair')}` : tried;
}

function conclusionOf(report: MatrixReport): string[][] {
  const { alternatives, pairwise } = report;
  const broken = alternatives.filter(isBroken).map(({ decision }) => decision);
  const decisions = [...new Set(broken)];
  const combinations = (pairwise?.breaking ?? []).filter(isBroken).map(nameIn);
  if (decisions.length + combinations.length === 0) {
    return [[pairwise ? 'No alternative breaks it, and no pair.' : 'No alternative breaks it.']];
  }
  return [
    ...listOf(`It depends on ${count(decisions.length, 'decision')}:`, decisions),
    ...listOf('Together, though not alone, these break it:', combinations),
  ];
}

function describe(one: CombinationReport): string[] {
  const { alternatives, output = '' } = one;
  const isAlone = alternatives.length === 1;
  const sections = alternatives.map(({ section }) => section).join(', ');
  const title = `${nameIn(one)} (section${isAlone ? '' : 's'} ${sections})`;
  const lines = output === '' ? [] : output.split('\n').slice(0, MOST_LINES);
  return [
    title,
    ...alternatives.flatMap(({ question, meaning }) => [indent(question), indent(meaning)]),
    indent(
      `${isAlone ? 'The' : 'Each alone breaks nothing; together the'} command ${endInWords(one)}.`,
    ),
    ...exchangeLines(one).map(indent),
    ...lines.map((line) => indent(`| ${cut(line, LONGEST_LINE)}`)),
  ];
}

function exchangeLines({ firstOther, last }: EndReport): string[] {
  if (firstOther)
    return ['The first exchange that differs from the baseline:', inWords(firstOther)];
  if (!last) return [];
  return [
    'No exchange differs from the baseline, in bodies of up to 16 kB or in their length; the last:',
    inWords(last),
  ];
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

function nameIn({
  alternatives,
}: {
  readonly alternatives: readonly AlternativeInWords[];
}): string {
  return alternatives.map(({ decision, value }) => `${decision}=${value}`).join(TOGETHER);
}

function listOf(title: string, names: readonly string[]): string[][] {
  return names.length === 0 ? [] : [[title, ...names.map(indent)]];
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
