import { isObject } from '../../core/values/json-value.js';
import { parseJson } from '../../core/values/parse-json.js';
import { shown } from '../../core/values/received-value.js';
import type { components } from '../../generated/control.js';

/**
 * How many requests have touched each part of operations, faults and decisions: a row for each part
 * that they can touch, with 0 if none has.
 *
 * @example
 * const { counts }: Coverage = server.coverage();
 * console.log(counts['deleteContract: status 404']);
 */
export type Coverage = components['schemas']['Coverage'];

/** A line of a coverage file: what a mock has counted since its last line. */
export interface CoverageLine extends Coverage {
  /** Which run of a test suite the mock belongs to; the sum of files has none. */
  readonly run?: string;
}

type Counted = Pick<Coverage, 'counts'>;

/** Sums up a coverage file. An error says what is wrong with it, without a final full stop. */
export function parseCoverage(text: string): Coverage {
  const [first, ...others] = coverageLines(text);
  if (!first) throw new Error('it is not a coverage file; expected one written by --coverage');
  // A mock of an earlier run may still write.
  const ofRun = [first, ...others.filter(({ run }) => run === first.run)];
  const wrong = ofRun
    .flatMap(({ counts }) => Object.entries(counts))
    .find(([row, count]) => !isCounted(row, count));
  if (wrong)
    throw new Error(
      `it has the row ${shown(Object.fromEntries([wrong]))}; expected rows written by --coverage. Record the file again`,
    );
  return sumOf(first.version, ofRun);
}

/** Leaves out incomplete lines of killed processes. */
export function coverageLines(text: string): CoverageLine[] {
  const whole = coverageIn(text);
  return whole ? [whole] : text.split('\n').flatMap((line) => coverageIn(line) ?? []);
}

function coverageIn(text: string): CoverageLine | undefined {
  try {
    const value = text === '' ? undefined : parseJson(text);
    const isCoverage = isObject(value) && typeof value.version === 'string';
    return isCoverage && isObject(value.counts) ? (value as unknown as CoverageLine) : undefined;
  } catch {
    return undefined;
  }
}

function isCounted(row: string, count: unknown): boolean {
  return Number.isSafeInteger(count) && Number(count) >= 0 && !/\p{C}/u.test(row);
}

/** Throws if a part was counted by another version of the mock, which may have other rows. */
export function sumOf(version: string, parts: readonly Coverage[]): Coverage {
  const sums = new Map<string, number>();
  for (const { version: other, counts } of parts) {
    if (other !== version)
      throw new Error(
        `it was written by version ${shown(other)} of the mock; expected ${shown(version)}. Record it again`,
      );
    for (const [row, count] of Object.entries(counts)) sums.set(row, (sums.get(row) ?? 0) + count);
  }
  return { version, counts: Object.fromEntries(sums) };
}

export function touchedIn({ counts }: Counted): string[] {
  return Object.keys(counts).filter((row) => (counts[row] ?? 0) > 0);
}

/** The rows that the baseline touched, and this coverage did not. */
export function lostRows({ counts }: Counted, baseline: Counted): readonly string[] {
  return touchedIn(baseline).filter((row) => !counts[row]);
}
