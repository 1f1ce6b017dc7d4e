import { stripVTControlCharacters } from 'node:util';
import { Help } from 'commander';

const MAX_COLUMNS = 80;
/** With fewer columns left beside its lead, a text goes below it, indented by `INDENT`. */
const MIN_COLUMNS = 20;
const INDENT = 6;
const UNBOUNDED = Object.assign(new Help(), { minWidthToWrap: Number.NEGATIVE_INFINITY });

/** The columns of the terminal, but at most 80; 80 if there is no terminal. */
export function columnsOfReport(stream: { readonly columns: number } = process.stdout): number {
  // A terminal of unknown size reports 0.
  return Math.min(stream.columns || MAX_COLUMNS, MAX_COLUMNS);
}

/**
 * Wraps a text into lines of at most `columns`, each indented by `indent` spaces; a longer word
 * gets a line of its own. Removes control sequences, which text from a service may contain.
 */
export function wrap(text: string, indent = 0, columns = columnsOfReport()): string[] {
  const words = printable(text).replaceAll(/ +/g, ' ');
  const lines = UNBOUNDED.boxWrap(words, columns - indent).split('\n');
  return lines.map((line) => ' '.repeat(indent) + line);
}

/** Wraps a text beside its lead, or below it if there is little room. */
export function wrapBeside(lead: string, text: string, columns = columnsOfReport()): string[] {
  if (columns - lead.length < MIN_COLUMNS) return [lead.trimEnd(), ...wrap(text, INDENT, columns)];
  const [first = '', ...others] = wrap(text, lead.length, columns);
  return [lead + first.slice(lead.length), ...others];
}

/** The text in one line, without escape sequences, control characters or format characters. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/** Joins the lines of paragraphs, with an empty line between those that have any. */
export function inParagraphs(paragraphs: readonly (readonly string[])[]): string {
  const shown = paragraphs.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
