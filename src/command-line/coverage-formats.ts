import { count } from '../core/values/plural.js';
import { type JunitCase, junitXml } from '../host/terminal/junit.js';
import { wrap } from '../host/terminal/wrap-text.js';
import { type Coverage, touchedIn } from '../mock/coverage/coverage.js';

export interface Share {
  readonly touched: number;
  readonly rows: number;
  /** Rounded down to a whole number: 100 means that nothing is missing. */
  readonly percent: number;
}

export interface ReportedCoverage {
  readonly coverage: Coverage;
  readonly files: number;
  readonly share: Share;
  /** The rows that the baseline touched, and these files did not. */
  readonly lost: readonly string[];
  /** Every row that requests can touch under some decision. */
  readonly possible: readonly string[];
  readonly min: number;
  readonly isBelow: boolean;
}

export type CoverageFormat = 'text' | 'json' | 'junit';

export const FORMATS: Readonly<Record<CoverageFormat, (reported: ReportedCoverage) => string>> = {
  text: forPeople,
  json: ({ coverage, share, lost }) =>
    `${JSON.stringify({ ...coverage, ...share, lost }, undefined, 2)}\n`,
  junit: ({ coverage: { counts }, lost, share, min, isBelow }) =>
    junitXml({
      name: 'coverage',
      startedAt: new Date().toISOString(),
      cases: [
        shareCase(share, min, isBelow),
        ...[...new Set([...Object.keys(counts), ...lost])].map((row) =>
          caseOf(row, counts[row] ?? 0, lost.includes(row)),
        ),
      ],
    }),
};

export function shareOf(counts: Coverage['counts']): Share {
  const touched = touchedIn({ counts }).length;
  const rows = Object.keys(counts).length;
  return { touched, rows, percent: Math.floor((100 * touched) / Math.max(1, rows)) };
}

function shareCase({ touched, rows }: Share, min: number, isBelow: boolean): JunitCase {
  const message = `only ${touched} of ${rows} rows were touched; expected at least ${min}%`;
  const end = isBelow ? ({ kind: 'failure', message, text: '' } as const) : undefined;
  return { classname: 'coverage', name: 'share', end };
}

function caseOf(row: string, touched: number, isLost: boolean): JunitCase {
  const message = isLost ? 'touched in the baseline, but no longer' : 'not touched';
  const end = { kind: isLost ? 'failure' : 'skipped', message, text: '' } as const;
  const of = groupOf(row);
  return {
    ...{ classname: `coverage.${of}`, name: partOf(row) },
    end: touched > 0 ? undefined : end,
  };
}

/** The operation of a row, or `decisions`. */
function groupOf(row: string): string {
  return row.slice(0, row.indexOf(': '));
}

function partOf(row: string): string {
  return row.slice(row.indexOf(': ') + 2);
}

function forPeople({ coverage: { counts }, files, share, lost, possible }: ReportedCoverage) {
  const rows = Object.keys(counts);
  const others = possible.filter((row) => !Object.hasOwn(counts, row));
  const groups = [...new Set(rows.map(groupOf))].map((group) => {
    const isOfGroup = (row: string) => groupOf(row) === group;
    const own = Object.fromEntries(rows.filter(isOfGroup).map((row) => [row, counts[row] ?? 0]));
    return groupLines(group, own, others.filter(isOfGroup));
  });
  return [
    [`Coverage of ${count(files, 'file')}: ${shareInWords(share)}`],
    ...groups,
    ...(lost.length > 0 ? [['Lost since the baseline:', ...lost.map((row) => `  ${row}`)]] : []),
  ]
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

const COUNT_COLUMNS = 8;

function groupLines(
  group: string,
  counts: Coverage['counts'],
  unreachable: readonly string[],
): readonly string[] {
  const touched = touchedIn({ counts });
  const missing = Object.keys(counts).filter((row) => !touched.includes(row));
  return [
    `${group}: ${shareInWords(shareOf(counts))}`,
    ...touched.map((row) => `${String(counts[row]).padStart(COUNT_COLUMNS)}  ${partOf(row)}`),
    ...listed('Not touched:', missing),
    ...listed('Not reachable under these decisions:', unreachable),
  ];
}

function shareInWords({ touched, rows, percent }: Share): string {
  return `${touched} of ${count(rows, 'row')}, ${percent}%`;
}

const INDENT = 4;

function listed(title: string, rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  // Lines break between rows, not within one.
  const names = rows.map((row) => partOf(row).replaceAll(' ', '·')).join('; ');
  return [`  ${title}`, ...wrap(names, INDENT).map((line) => line.replaceAll('·', ' '))];
}
