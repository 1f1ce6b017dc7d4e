import { stripVTControlCharacters } from 'node:util';

const COLUMNS = 80;

/**
 * The text in lines of at most 80 columns, each indented by so many spaces; a longer word has a line
 * for itself. What a service says may contain sequences that a terminal would obey: they are removed.
 */
export function wrap(text: string, indent = 0): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text).split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent + longer.length > COLUMNS) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one);
}

/** The text in one line without control characters. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
