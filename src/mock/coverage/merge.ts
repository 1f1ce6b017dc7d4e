import { isObject } from '../../core/values/json-value.js';
import { parseJson } from '../../core/values/parse-json.js';
import { shown } from '../../core/values/received-value.js';
import { COVERAGE_VERSION, type Coverage, type CoverageRow, nameOf } from './coverage.js';

export interface Share {
  readonly touched: number;
  readonly reachable: number;
  /** Rounded down to a whole number: 100 means that nothing is missing. */
  readonly percent: number;
}

/** Parses a coverage file. An error says what is wrong with it, without a final full stop. */
export function parseCoverage(text: string): Coverage {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new Error('it is not JSON; expected a file written by --coverage');
  }
  if (!isObject(value) || !('version' in value) || !Array.isArray(value.rows)) {
    throw new Error('it is not a coverage file; expected one written by --coverage');
  }
  if (value.version !== COVERAGE_VERSION) {
    throw new Error(
      `it has the version ${shown(value.version)}; expected ${COVERAGE_VERSION}. Record it again with this version of the mock`,
    );
  }
  const wrong = value.rows.find((row) => !isRow(row));
  if (wrong !== undefined)
    throw new Error(
      `it has the row ${shown(wrong)}; expected rows written by --coverage. Record the file again`,
    );
  return value as unknown as Coverage;
}

function isRow(row: unknown): row is CoverageRow {
  if (!isObject(row)) return false;
  const { of, row: text, count, isReachable, triedAgain = 0, noFurther = 0 } = row;
  return (
    [of, text].every((one) => typeof one === 'string' && !/\p{C}/u.test(one)) &&
    [count, triedAgain, noFurther].every((one) => Number.isSafeInteger(one) && Number(one) >= 0) &&
    typeof isReachable === 'boolean'
  );
}

/** Throws if the coverages have different rows. */
export function addCoverage(first: Coverage, second: Coverage): Coverage {
  checkSameDocument(first, second.document);
  const others = rowsByName(second);
  const rows = first.rows.map((row) => {
    const other = others.get(nameOf(row));
    const sum = (member: 'count' | 'triedAgain' | 'noFurther') =>
      (row[member] ?? 0) + (other?.[member] ?? 0);
    return {
      ...row,
      count: sum('count'),
      isReachable: row.isReachable || (other?.isReachable ?? false),
      ...('triedAgain' in row && { triedAgain: sum('triedAgain'), noFurther: sum('noFurther') }),
    };
  });
  return { ...first, rows };
}

/** Throws if another coverage has a different fingerprint, and so different rows. */
export function checkSameDocument({ document }: Coverage, other: string): void {
  if (document === other) return;
  throw new Error(
    `it covers another document (${shown(other)}, not ${shown(document)}); expected files written by the same version of the mock. Record them again`,
  );
}

function rowsByName({ rows }: Coverage): ReadonlyMap<string, CoverageRow> {
  return new Map(rows.map((row) => [nameOf(row), row]));
}

export function shareOf(rows: readonly CoverageRow[]): Share {
  const reachable = rows.filter((row) => row.isReachable).length;
  const touched = rows.filter(({ count }) => count > 0).length;
  return { touched, reachable, percent: Math.floor((100 * touched) / Math.max(1, reachable)) };
}

export function lostRows(coverage: Coverage, baseline: Coverage): readonly CoverageRow[] {
  const before = rowsByName(baseline);
  return coverage.rows.filter(
    (row) => row.count === 0 && (before.get(nameOf(row))?.count ?? 0) > 0,
  );
}
