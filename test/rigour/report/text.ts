import type { Figure, Listing, Result } from './result.js';

const WIDTH = 78;

/** A result for a terminal, at most 80 columns wide. */
export function textOf({ command, seed, figures, listings, limits }: Result): string {
  return [
    seed === undefined ? command : `${command}\nseed ${seed}`,
    figures.map(lineOf).join('\n'),
    ...listings.filter(({ rows }) => rows.length > 0).map(listed),
    ...limits.map((limit) => wrapped(limit, '- ', '  ')),
  ].join('\n\n');
}

/** Whether every figure that has a bound keeps it. */
export function isWithinBounds({ figures }: Pick<Result, 'figures'>): boolean {
  return figures.every(({ isWithin }) => isWithin !== false);
}

function lineOf({ name, value, bound, isWithin }: Figure): string {
  const verdict = isWithin === undefined ? '  ' : isWithin ? 'ok' : 'NO';
  const line = `${verdict}  ${name.padEnd(44)} ${value.padStart(12)}`;
  return bound === undefined ? line : `${line}  ${bound}`;
}

function listed({ title, columns, rows }: Listing): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const isNarrow = widths.reduce((sum, width) => sum + width + 2, 0) <= WIDTH;
  return `${title}\n\n${isNarrow ? inColumns([columns, ...rows], widths) : inBlocks(columns, rows)}`;
}

function inColumns(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  return rows
    .map((row) => row.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  '))
    .join('\n');
}

function inBlocks(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const blocks = rows.map((row) =>
    row.map((cell, index) => shown(cell, `  ${columns[index]}: `)).join('\n'),
  );
  return blocks.join('\n\n');
}

/** The cell in lines that are short enough; one that has lines of its own as it is, to be pasted. */
function shown(cell: string, title: string): string {
  return cell.includes('\n') ? `${title}\n${cell}` : wrapped(cell, title, '    ');
}

/** The text in lines that are short enough; a word that is longer stays whole. */
function wrapped(text: string, first: string, further: string): string {
  const lines = [first];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const isBegun = line.trim() !== '' && line !== first;
    if (isBegun && line.length + word.length + 1 > WIDTH) lines.push(further + word);
    else lines[lines.length - 1] = isBegun ? `${line} ${word}` : line + word;
  }
  return lines.join('\n');
}
