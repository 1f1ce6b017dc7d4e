// A table for each measure, with a row for each target and its ratio to the reference.

import type { Bench } from '../harness/bench.js';
import type { Cell } from '../harness/statistics.js';
import { bestPeer, EXPRESS, NODE_HTTP, peersOf, ratio } from './compare.js';
import { figure, Notes, range, table } from './format.js';

/** The title and measure of a table's row or column. */
export type Titled = [title: string, measure: string];

export interface MeasureTable {
  title: string;
  columns: [main: Titled, ...others: Titled[]];
  isMoreBetter?: boolean;
}

/**
 * A section of the report. The first column is the one that counts, and gets its range and ratios
 * beside it.
 */
export function measureTable(bench: Bench, { title, columns, isMoreBetter = false }: MeasureTable) {
  const { results } = bench;
  const [[mainTitle, main], ...others] = columns;
  const known: [text: string, value: number | undefined][] = [
    ['÷ best peer', bestPeer(bench, main, peersOf(bench), isMoreBetter)?.value],
    ['÷ Express', results.median(main, EXPRESS)],
    ['÷ node:http', results.median(main, NODE_HTTP)],
  ];
  const references = known.filter(([, value]) => value !== undefined);
  const isMeasured = ({ values, reason }: Cell) => values.length > 0 || reason;
  const shown = bench.targets
    .map(({ name }) => name)
    .filter((name) => isMeasured(results.cell(main, name)));
  if (shown.length === 0) return '';
  const notes = new Notes();
  const rows = shown.map((name) => {
    const { values, reason, note } = results.cell(main, name);
    const value = results.median(main, name);
    return [
      name + notes.mark(reason ?? note),
      figure(value),
      range(values),
      ...references.map(([, reference]) => figure(ratio(value, reference))),
      ...others.map(([, measure]) => figure(reason ? undefined : results.median(measure, name))),
    ];
  });
  const head = ['', mainTitle, 'range', ...references.map(([text]) => text)];
  const text = table([...head, ...others.map(([other]) => other)], rows);
  return [`### ${title}`, text, String(notes)].filter(Boolean).join('\n\n');
}

/** A table with a row for each measure, a column for each name, and ratios to the first. */
export function sideBySideTable(
  { results }: Bench,
  title: string,
  names: string[],
  rows: Titled[],
) {
  const cells = rows.map(([, measure]) => names.map((name) => results.cell(measure, name)));
  if (!cells.flat().some(({ values, reason }) => values.length > 0 || reason)) return '';
  const [first = '', ...others] = names;
  const notes = new Notes();
  const lines = rows.map(([text, measure]) => [
    text,
    ...names.map((name) => {
      const { reason } = results.cell(measure, name);
      return figure(results.median(measure, name)) + notes.mark(reason);
    }),
    ...others.map((name) =>
      figure(ratio(results.median(measure, name), results.median(measure, first))),
    ),
  ]);
  const head = ['', ...names, ...others.map((name) => `${name} ÷ ${first}`)];
  return [`### ${title}`, table(head, lines), String(notes)].filter(Boolean).join('\n\n');
}

/** A table with a row for each figure that only this mock has. */
export function ownTable({ results }: Bench, title: string, rows: Titled[]) {
  if (rows.every(([, measure]) => results.median(measure, 'ours') === undefined)) return '';
  const lines = rows.map(([text, measure]) => {
    const { values } = results.cell(measure, 'ours');
    return [text, figure(results.median(measure, 'ours')), range(values)];
  });
  return [`### ${title}`, table(['', 'median', 'range'], lines)].join('\n\n');
}
