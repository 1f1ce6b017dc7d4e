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

/** The figures, without tests that passed; those of several subjects (`large: heap`) side by side. */
function figureTable(all: Figure[]): string[] {
  const figures = all.filter(({ value }) => value !== 'passed');
  if (figures.length === 0) return [];
  const split = figures.map((figure) => {
    const [, subject = 'value', name = figure.name] = /^([^:]+): (.*)$/.exec(figure.name) ?? [];
    return { ...figure, subject, name };
  });
  const subjects = [...new Set(split.map(({ subject }) => subject))];
  const names = [...new Set(split.map(({ name }) => name))];
  const rows = names.map((name) => {
    const cells = split.filter((figure) => figure.name === name);
    const bounds = [...new Set(cells.map(({ bound }) => bound).filter(Boolean))];
    const values = subjects.map((subject) => {
      const { value = '', isWithin } = cells.find((cell) => cell.subject === subject) ?? {};
      return isWithin === false ? `**${value}**` : value;
    });
    return [name, ...values, bounds.join('; ')];
  });
  return [`${table(['figure', ...subjects, 'bound'], rows)}\n`];
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
