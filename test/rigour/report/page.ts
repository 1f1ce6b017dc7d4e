import type { Figure, Listing, RecordedResult } from './result.js';

const HEAD = `# Rigour

How the mock is tried beyond its tests, and what came out. Each section is written by its command, with
\`--record\`: run it to compare your machine.
`;

/** A list that is longer stays in the file of the result. */
const MOST_ROWS = 8;

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;

function table(columns: string[], rows: string[][]): string {
  return [row(columns), row(columns.map(() => '---')), ...rows.map(row)].join('\n');
}

/** The figures, without tests that passed. */
function figureTable(figures: Figure[]): string[] {
  const told = figures.filter(({ value }) => value !== 'passed');
  const rows = told.map(({ name, value, bound = '', isWithin }) => [
    ...[name, isWithin === false ? `**${value}**` : value, bound],
  ]);
  return rows.length > 0 ? [`${table(['figure', 'value', 'bound'], rows)}\n`] : [];
}

function listing(file: string, { title, columns, rows }: Listing): string[] {
  if (rows.length === 0) return [];
  const where = `${rows.length} rows in \`test/rigour/results/${file}.json\`.`;
  return [`### ${title}\n\n${rows.length > MOST_ROWS ? where : table(columns, rows)}\n`];
}

function section(result: RecordedResult): string {
  const { name, command, description, seed, date, node, machine, figures, limits } = result;
  const run = [`\`${command}\``, seed && `seed ${seed}`, date, `Node ${node}`, machine];
  return [
    `## ${name}\n`,
    `${description}\n`,
    `${run.filter(Boolean).join(' · ')}\n`,
    ...figureTable(figures),
    ...(limits.length > 0 ? [`${limits.map((limit) => `- ${limit}`).join('\n')}\n`] : []),
    ...result.listings.flatMap((one) => listing(name, one)),
  ].join('\n');
}

/** The page of all results. */
export function pageOf(results: RecordedResult[]): string {
  return [HEAD, ...results.map(section)].join('\n');
}
