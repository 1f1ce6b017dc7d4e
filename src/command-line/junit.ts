import { stripVTControlCharacters } from 'node:util';
import { printable } from './wrap-text.js';

/** The results of a command as one suite of JUnit. */
export interface JunitSuite {
  readonly name: string;
  /** When it began, in ISO 8601. */
  readonly startedAt: string;
  readonly cases: readonly JunitCase[];
}

/** One case; it passed unless it has an end. */
export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  readonly durationMs?: number;
  readonly end?: JunitEnd | undefined;
  /** What is to be known of one that passed. */
  readonly output?: string;
}

/** Why a case did not pass. */
interface JunitEnd {
  readonly kind: 'failure' | 'skipped';
  readonly message: string;
  /** What explains it, shown whole. */
  readonly why?: string;
  /** What was seen, of which the end is shown. */
  readonly text: string;
}

/** A suite as JUnit XML, which most of CI can show. */
export function junitXml({ name, startedAt, cases }: JunitSuite): string {
  const countOf = (kind: string) => cases.filter(({ end }) => end?.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${countOf('failure')}" errors="0" skipped="${countOf('skipped')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escaped(name)}" timestamp="${startedAt}" ${counts}>`,
    ...cases.map(caseXml),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseXml({ classname, name, durationMs, end, output }: JunitCase): string {
  const time = durationMs === undefined ? '' : ` time="${(durationMs / 1000).toFixed(3)}"`;
  const start = `    <testcase classname="${escaped(classname)}" name="${escaped(name)}"${time}`;
  if (end === undefined && output)
    return `${start}><system-out>${escaped(output)}</system-out></testcase>`;
  if (end === undefined) return `${start}/>`;
  const { kind, message, why = '', text } = end;
  const shown = [why, endOf(text)].filter(Boolean).join('\n\n');
  return `${start}><${kind} message="${escaped(message)}">${escaped(shown)}</${kind}></testcase>`;
}

/** How much a case shows of a text, in characters. */
const LONGEST_TEXT = 8_000;

/** The end of a text, where most runners say what has failed. */
function endOf(text: string): string {
  return stripVTControlCharacters(text).slice(-LONGEST_TEXT).trimEnd();
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** As text or an attribute of XML, without the characters that XML does not allow. */
function escaped(text: string): string {
  const lines = text.split('\n').map((line) => printable(Buffer.from(line).toString()));
  return lines
    .join('\n')
    .replaceAll(/[\uFFFE\uFFFF]/g, ' ')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
