import { stripVTControlCharacters } from 'node:util';
import { printable } from './wrap-text.js';

export interface JunitSuite {
  readonly name: string;
  /** In ISO 8601; undefined if it is unknown. */
  readonly startedAt: string | undefined;
  readonly cases: readonly JunitCase[];
}

/** One case; it passed unless it has an end. */
export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  readonly durationMs?: number;
  readonly end?: JunitEnd | undefined;
  /** Output to show if the case passed. */
  readonly output?: string;
}

/** Why a case did not pass. */
interface JunitEnd {
  readonly kind: 'failure' | 'skipped';
  readonly message: string;
  /** An explanation, shown in full. */
  readonly why?: string;
  /** Output, of which only the end is shown. */
  readonly text: string;
}

export function junitXml({ name, startedAt, cases }: JunitSuite): string {
  const countOf = (kind: string) => cases.filter(({ end }) => end?.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${countOf('failure')}" errors="0" skipped="${countOf('skipped')}"`;
  const timestamp = startedAt === undefined ? '' : ` timestamp="${startedAt}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escaped(name)}"${timestamp} ${counts}>`,
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

const MAX_TEXT_LENGTH = 8_000;

/** The end of a text, where most runners say what has failed. */
function endOf(text: string): string {
  return stripVTControlCharacters(text).slice(-MAX_TEXT_LENGTH).trimEnd();
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for XML; replaces the characters that it forbids, and format characters. */
function escaped(text: string): string {
  const lines = text.split('\n').map((line) => printable(Buffer.from(line).toString()));
  return lines
    .join('\n')
    .replaceAll(/[\uFFFE\uFFFF]/g, ' ')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
