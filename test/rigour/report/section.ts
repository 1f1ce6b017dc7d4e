import type { Figure, Result, Run } from './result.js';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;

function table(columns: string[], rows: string[][]): string {
  return [row(columns), row(columns.map(() => '---')), ...rows.map(row)].join('\n');
}

/** A table of the figures without passed tests; each subject (`large: heap`) has its column. */
function figureTable(figures: Figure[]): string[] {
  const rows: Record<string, Record<string, string>> = {};
  for (const { name, value, bound, isWithin } of figures.filter((one) => one.value !== 'passed')) {
    const [, subject = 'value', what = name] = /^([^:]+): (.*)$/.exec(name) ?? [];
    const verdict = isWithin === false ? `**${value}**` : value;
    rows[what] = { figure: what, ...(bound && { bound }), ...rows[what], [subject]: verdict };
  }
  const subjects = [...new Set(Object.values(rows).flatMap(Object.keys))];
  const columns = [...subjects.filter((one) => one !== 'bound'), 'bound'];
  const cells = Object.values(rows).map((row) => columns.map((one) => row[one] ?? ''));
  return cells.length > 0 ? [`${table(columns, cells)}\n`] : [];
}

/** The section of the report for one result. */
export function sectionOf(result: Result, { date, node, machine }: Run): string {
  const { name, command, description, seed, figures, limits } = result;
  const run = [`\`${command}\``, seed && `seed ${seed}`, date, `Node ${node}`, machine];
  const lists = result.listings.filter(({ rows }) => rows.length > 0);
  return [
    ...[`## ${name}\n`, `${description}\n`, `${run.filter(Boolean).join(' · ')}\n`],
    ...figureTable(figures),
    ...(limits.length > 0 ? [`${limits.map((limit) => `- ${limit}`).join('\n')}\n`] : []),
    ...lists.map(({ title, columns, rows }) => `### ${title}\n\n${table(columns, rows)}\n`),
  ].join('\n');
}
