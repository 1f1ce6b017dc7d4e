import type { Decisions } from '../../core/decisions/ledger.js';
import type { OpenApiDocument } from '../../core/openapi/route-table.js';
import type { Coverage } from './coverage.js';
import { createRows, type Rows } from './rows.js';

/** Counts the rows that calls touch as they end, because journals drop old entries. */
export interface CoverageCounter extends Pick<Rows, 'touchedBy'> {
  add(touched: readonly string[]): void;
  /** What was counted, with the rows that can be touched under the decisions; also writes it. */
  report(inForce: Decisions): Coverage;
}

/** Where to write counts. */
export interface CoverageFile {
  /** Rows that it has already. */
  readonly known: readonly string[];
  /** Called with what was counted since the last call that returned true: that it is written. */
  write(coverage: Coverage): boolean;
}

/**
 * Writes at once when a row is touched for the first time, so that a killed mock has shown what
 * it touched; later counts follow with the next new row, and with each report.
 */
export function createCoverage(
  document: OpenApiDocument,
  faultKinds: readonly string[],
  file?: CoverageFile,
): CoverageCounter {
  const { version } = document.info;
  const { listed, touchedBy } = createRows(document, faultKinds);
  const counts = new Map<string, number>();
  const written = new Map(file?.known.map((row) => [row, 0]));
  function writeChanged(rows: Iterable<readonly [string, number]>): void {
    if (!file) return;
    const changed = [...rows].filter(([row, count]) => written.get(row) !== count);
    if (changed.length === 0) return;
    const added = changed.map(([row, count]) => [row, count - (written.get(row) ?? 0)]);
    if (!file.write({ version, counts: Object.fromEntries(added) })) return;
    for (const [row, count] of changed) written.set(row, count);
  }
  return {
    touchedBy,
    add(touched) {
      let isNew = false;
      for (const row of touched) {
        const before = counts.get(row);
        counts.set(row, (before ?? 0) + 1);
        isNew ||= before === undefined;
      }
      if (isNew) writeChanged(counts);
    },
    report(inForce) {
      const all = new Map([...listed(inForce).map((row) => [row, 0] as const), ...counts]);
      writeChanged(all);
      return { version, counts: Object.fromEntries(all) };
    },
  };
}
