import type { Figure, Listing, RecordedResult } from './result.js';

const HEAD = `# Rigour

How this mock is tried beyond its tests, and what came out. Each section was written by the command
that it names (with \`--record\`): run it again to hold the figures against your own machine.

\`npm run mutate\` has StrykerJS change the code of the core in one place at a time, and lists the
changes that no test notices; a weekly job does so room by room. It has a section once a run over all
rooms is recorded. Before the first change it runs all tests of \`src/\` once, which takes some minutes,
and a change that runs into a time-out counts as noticed: run it on a quiet machine, such as
\`npm run mutate -- --files src/billing\`, or \`npm run mutate -- --since main\` for the lines that you
have changed.
`;

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;

function table(columns: string[], rows: string[][]): string {
  return [row(columns), row(columns.map(() => '---')), ...rows.map(row)].join('\n');
}

function figureRow({ name, value, bound, isWithin }: Figure): string[] {
  const verdict = isWithin === undefined ? '' : isWithin ? 'yes' : '**no**';
  return [name, value, bound ?? '', verdict];
}

function listing({ title, columns, rows }: Listing): string {
  return `### ${title}\n\n${rows.length > 0 ? table(columns, rows) : 'None.'}\n`;
}

/** The section of one result. */
export function sectionOf(result: RecordedResult): string {
  const { name, command, description, seed, date, node, machine, figures, limits } = result;
  const run = [`\`${command}\``, seed && `seed ${seed}`, date, `Node ${node}`, machine];
  return [
    `## ${name}\n`,
    `${description}\n`,
    `${run.filter(Boolean).join(' · ')}\n`,
    `${table(['figure', 'value', 'bound', 'within'], figures.map(figureRow))}\n`,
    ...(limits.length > 0 ? [`${limits.map((limit) => `- ${limit}`).join('\n')}\n`] : []),
    ...result.listings.map(listing),
  ].join('\n');
}

/** The page of all results. */
export function pageOf(results: RecordedResult[]): string {
  return [HEAD, ...results.map(sectionOf)].join('\n');
}
