// Writes the report between the markers in bench/README.md.
import { readFileSync, writeFileSync } from 'node:fs';

const README = new URL('../README.md', import.meta.url);
const BEGIN = '<!-- begin: written by npm run bench -->';
const END = '<!-- end: written by npm run bench -->';

/** What earlier runs measured for a goal, found by the beginning of its row. */
export function earlierValues(row: string): string[] {
  const line = readFileSync(README, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`| ${row} `));
  return line?.split('|').at(-2)?.trim().split(', ') ?? [];
}

export function writeReadme(report: string) {
  const text = readFileSync(README, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error('bench/README.md has lost its markers.');
  writeFileSync(
    README,
    `${text.slice(0, begin + BEGIN.length)}\n\n${report}\n\n${text.slice(end)}`,
  );
}
