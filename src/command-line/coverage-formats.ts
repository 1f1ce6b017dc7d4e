import { count } from '../core/values/plural.js';
import { type JunitCase, junitXml } from '../host/terminal/junit.js';
import { wrap } from '../host/terminal/wrap-text.js';
import type { Coverage, CoverageRow } from '../mock/coverage/coverage.js';
import { type Share, shareOf } from '../mock/coverage/merge.js';

export interface ReportedCoverage {
  readonly coverage: Coverage;
  readonly files: number;
  readonly share: Share;
  /** The rows that the baseline touched, and these files did not. */
  readonly lost: readonly CoverageRow[];
  readonly min: number;
  readonly isBelow: boolean;
}

export type CoverageFormat = 'text' | 'json' | 'junit' | 'markdown';

export const FORMATS: Readonly<Record<CoverageFormat, (reported: ReportedCoverage) => string>> = {
  text: forPeople,
  // Without the first file's `run`: the sum may be of several runs.
  json: ({ coverage: { version, document, rows }, share, lost }) =>
    `${JSON.stringify({ version, document, rows, ...share, lost }, undefined, 2)}\n`,
  junit: ({ coverage, lost, share, min, isBelow }) =>
    junitXml({
      name: 'coverage',
      startedAt: new Date().toISOString(),
      cases: [
        shareCase(share, min, isBelow),
        ...coverage.rows.filter(({ isReachable }) => isReachable).map((row) => caseOf(row, lost)),
      ],
    }),
  markdown: asMarkdown,
};

function shareCase({ touched, reachable }: Share, min: number, isBelow: boolean): JunitCase {
  const message = `only ${touched} of ${reachable} rows were touched; expected at least ${min}%`;
  const end = isBelow ? ({ kind: 'failure', message, text: '' } as const) : undefined;
  return { classname: 'coverage', name: 'share', end };
}

function caseOf(row: CoverageRow, lost: readonly CoverageRow[]): JunitCase {
  const { of, row: name, count: touched } = row;
  const isLost = lost.includes(row);
  const message = isLost ? 'touched in the baseline, but no longer' : 'not touched';
  const end = { kind: isLost ? 'failure' : 'skipped', message, text: '' } as const;
  return { classname: `coverage.${of}`, name, end: touched > 0 ? undefined : end };
}

function groupsOf(rows: readonly CoverageRow[]): readonly (readonly [string, CoverageRow[]])[] {
  const groups = new Map<string, CoverageRow[]>();
  for (const row of rows) groups.set(row.of, [...(groups.get(row.of) ?? []), row]);
  return [...groups];
}

function forPeople({ coverage, files, share, lost }: ReportedCoverage): string {
  const all = `Coverage of ${count(files, 'file')}: ${shareInWords(share)}`;
  const groups = groupsOf(coverage.rows).map(([of, rows]) =>
    [
      `${of}: ${shareInWords(shareOf(rows))}`,
      ...rows.filter((row) => row.count > 0).map(touchedLine),
      ...listed('Not touched:', rows.filter(isMissing)),
      ...listed(
        'Not reachable under these decisions:',
        rows.filter((row) => !row.isReachable),
      ),
    ].join('\n'),
  );
  const gone = lost.map(({ of, row }) => `  ${of}: ${row}`);
  const since = gone.length > 0 ? [['Lost since the baseline:', ...gone].join('\n')] : [];
  return `${[all, ...groups, ...since].join('\n\n')}\n`;
}

function isMissing(row: CoverageRow): boolean {
  return row.isReachable && row.count === 0;
}

function shareInWords({ touched, reachable, percent }: Share): string {
  return `${touched} of ${count(reachable, 'row')}, ${percent}%`;
}

const COUNT_COLUMNS = 8;

function touchedLine(row: CoverageRow): string {
  return `${String(row.count).padStart(COUNT_COLUMNS)}  ${inWords(row)}`;
}

function inWords({ row, triedAgain, noFurther }: CoverageRow): string {
  return triedAgain === undefined
    ? row
    : `${row} (tried again ${triedAgain}, not tried again ${noFurther})`;
}

const INDENT = 4;

function listed(title: string, rows: readonly CoverageRow[]): string[] {
  if (rows.length === 0) return [];
  // Lines break between rows, not within one.
  const names = rows.map(({ row }) => row.replaceAll(' ', '·')).join('; ');
  return [`  ${title}`, ...wrap(names, INDENT).map((line) => line.replaceAll('·', ' '))];
}

function asMarkdown({ coverage, files, share, lost }: ReportedCoverage): string {
  const line = (of: string, { touched, reachable, percent }: Share) =>
    `| ${of} | ${touched} | ${reachable} | ${percent}% |`;
  const groups = groupsOf(coverage.rows);
  const missing = groups.flatMap(([of, rows]) => {
    const names = rows.filter(isMissing).map(({ row }) => row);
    return names.length > 0 ? [`- ${of}: ${names.join('; ')}`] : [];
  });
  return [
    `## Coverage of ${count(files, 'file')}`,
    '',
    '| of | touched | rows | share |',
    '|---|--:|--:|--:|',
    ...groups.map(([of, rows]) => line(of, shareOf(rows))),
    line('**all**', share),
    '',
    ...(lost.length > 0
      ? [`Lost since the baseline: ${lost.map(({ of, row }) => `${of}: ${row}`).join('; ')}.`, '']
      : []),
    ...(missing.length > 0
      ? ['<details><summary>Not touched</summary>', '', ...missing, '', '</details>', '']
      : []),
  ].join('\n');
}
