import { nameOf, nameOfAll } from '../../matrix/alternatives.js';
import type { SearchResult } from '../../matrix/breaking-combinations.js';
import { pairsOf } from '../../matrix/covering-pairs.js';
import { NO_REQUESTS, NOT_TOUCHED, outcomeOf } from '../../matrix/outcomes.js';
import { endsOf, type MatrixReport } from '../../matrix/report.js';
import { askedLess, endInWords, why, whySilent } from '../../matrix/report-for-people.js';
import type { MatrixResult, MatrixRun } from '../../matrix/run-matrix.js';
import { isComparable, type RunEnd } from '../../matrix/single-run.js';
import { type JunitCase, junitXml } from '../junit.js';

/** Has cases for the baseline, each alternative and, if pairwise, for what `pairCases` returns. */
export function matrixJunitOf(
  command: readonly string[],
  startedAt: string,
  { baseline, runs, pairwise }: MatrixResult,
  report: MatrixReport,
): string {
  const ends = new Map(endsOf(report).map((end) => [nameOfAll(end.alternatives), end]));
  const caseOf = (classname: string, run: MatrixRun): JunitCase => {
    const name = nameOfAll(run.alternatives);
    const { durationMs, differs } = run;
    if (run.isSilent) {
      const message = `${NO_REQUESTS}: ${whySilent(run.ownMocks.unwritten)}`;
      return { classname, name, durationMs, end: endOf(run, 'failure', message) };
    }
    const less = askedLess(run.notCalled);
    if (outcomeOf(run) === NOT_TOUCHED && run.alternatives.length === 1) {
      const skipped = { kind: 'skipped', message: NOT_TOUCHED, text: less } as const;
      return { classname, name, durationMs, end: skipped };
    }
    const reported = ends.get(name);
    if (!differs || !reported) return { classname, name, durationMs, output: less };
    const end = reported.isAccepted
      ? endOf(run, 'skipped', `accepted: ${endInWords(run)}`)
      : endOf(run, 'failure', endInWords(run));
    return { classname, name, durationMs, end: { ...end, why: why(reported).join('\n') } };
  };
  const cases = [
    baselineCase(baseline),
    ...runs.map((run) => caseOf('matrix', run)),
    ...(pairwise ? pairCases(runs, pairwise, (run) => caseOf('matrix.pairs', run)) : []),
  ];
  return junitXml({ name: command.join(' '), startedAt, cases });
}

function baselineCase(baseline: RunEnd): JunitCase {
  const { durationMs, exitCode } = baseline;
  const message = exitCode === 0 ? 'passed without a request to the mock' : endInWords(baseline);
  const end = isComparable(baseline) ? undefined : endOf(baseline, 'failure', message);
  return { classname: 'matrix', name: 'baseline', durationMs, end };
}

/**
 * A case for every pair, so that each run of the matrix has the same cases, and for each larger
 * combination that failed or made no request.
 */
function pairCases(
  runs: readonly MatrixRun[],
  { breaking, silent, untried }: SearchResult<MatrixRun>,
  caseOf: (run: MatrixRun) => JunitCase,
): JunitCase[] {
  // A pair that only silent runs covered is reported as one of these runs.
  const unknown = untried.flatMap((pair) =>
    silent
      .filter(({ alternatives }) => pair.every((one) => alternatives.includes(one)))
      .map((run) => ({ ...run, alternatives: pair })),
  );
  const told = [...breaking, ...unknown, ...silent];
  const failed = new Map(told.map((run) => [nameOfAll(run.alternatives), run]));
  const skipped = new Map(runs.flatMap((run) => whyNotPaired(run)));
  const pairs = pairsOf(runs.flatMap(({ alternatives }) => alternatives)).map((pair) => {
    const name = nameOfAll(pair);
    const run = failed.get(name);
    failed.delete(name);
    if (run) return caseOf(run);
    const message = pair.map((one) => skipped.get(one)).find(Boolean);
    const end = message ? ({ kind: 'skipped', message, text: '' } as const) : undefined;
    return { classname: 'matrix.pairs', name, end };
  });
  return [...pairs, ...[...failed.values()].map(caseOf)];
}

/** Why the pairs of an alternative were not run; empty if they were. */
function whyNotPaired({ alternatives, differs, isRun }: MatrixRun) {
  const why = differs ? ' alone breaks the command' : ` was ${NOT_TOUCHED}`;
  return differs || !isRun
    ? alternatives.map((one) => [one, `not run: ${nameOf(one)}${why}`] as const)
    : [];
}

function endOf({ output: text }: RunEnd, kind: 'failure' | 'skipped', message: string) {
  return { kind, message, text };
}
