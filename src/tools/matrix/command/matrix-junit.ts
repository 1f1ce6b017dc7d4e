import { type JunitCase, junitXml } from '../../../host/terminal/junit.js';
import { nameOf, nameOfAll } from '../alternatives.js';
import { pairsOf } from '../covering-pairs.js';
import { isUncalled, isUnknown, NOT_SEEN, NOT_TOUCHED } from '../outcomes.js';
import { endsOf, type MatrixReport } from '../report.js';
import {
  askedLess,
  endInWords,
  FAILED_NOT_EACH_TIME,
  why,
  whyNoFailure,
  whySilent,
} from '../report-for-people.js';
import type { MatrixResult, MatrixRun, PairwiseResult } from '../run-matrix.js';
import { isComparable, type RunEnd } from '../single-run.js';
import { type Controls, canCompare, type Tried } from '../trials.js';

/**
 * Has cases for the baseline and the canary, each alternative and, if pairwise, for what
 * `pairCases` returns.
 */
export function matrixJunitOf(
  command: readonly string[],
  startedAt: string,
  result: MatrixResult,
  report: MatrixReport,
): string {
  const { runs, notSeen, pairwise } = result;
  const ends = new Map(endsOf(report).map((end) => [nameOfAll(end.alternatives), end]));
  const caseOf = (classname: string, run: MatrixRun): JunitCase => {
    const name = nameOfAll(run.alternatives);
    const { durationMs, outcome } = run;
    const one = { classname, name, durationMs };
    if (isUnknown(outcome)) return { ...one, end: unknownEnd(run) };
    const less = askedLess(run.notCalled);
    if (outcome === NOT_TOUCHED && run.alternatives.length === 1) {
      const skipped = { kind: 'skipped', message: NOT_TOUCHED, text: less } as const;
      return { ...one, end: skipped };
    }
    const reported = ends.get(name);
    if (outcome !== 'failed' || !reported) return { ...one, output: less };
    const end = reported.isAccepted
      ? endOf(run, 'skipped', `accepted: ${endInWords(run)}`)
      : endOf(run, 'failure', endInWords(run));
    return { ...one, end: { ...end, why: why(reported).join('\n') } };
  };
  const cases = [
    ...controlCases('matrix', result),
    ...runs.map((run) => caseOf('matrix', run)),
    ...notSeen.map((name): JunitCase => {
      const end = { kind: 'failure', message: `${NOT_SEEN}: ${whySilent()}`, text: '' } as const;
      return { classname: 'matrix.operations', name, end };
    }),
    ...(pairwise ? pairCases(runs, pairwise, (run) => caseOf('matrix.pairs', run)) : []),
  ];
  return junitXml({ name: command.join(' '), startedAt, cases });
}

/** The failure of a run that shows nothing. */
export function unknownEnd({ outcome, ownMocks, output: text }: Tried) {
  const why = isUncalled(outcome) ? whySilent(ownMocks.unwritten) : FAILED_NOT_EACH_TIME;
  return { kind: 'failure', message: `${outcome}: ${why}`, text } as const;
}

/** A case each for the baseline and, if it was run, the canary. */
export function controlCases(classname: string, controls: Controls): JunitCase[] {
  const { baseline, canary } = controls;
  const { exitCode } = baseline;
  const message = exitCode === 0 ? 'passed without a request to the mock' : endInWords(baseline);
  const end = isComparable(baseline) ? undefined : endOf(baseline, 'failure', message);
  const one = { classname, name: 'baseline', durationMs: baseline.durationMs, end };
  if (!canary) return [one];
  const failure = canCompare(controls) ? undefined : endOf(canary, 'failure', whyNoFailure(canary));
  return [one, { classname, name: 'canary', durationMs: canary.durationMs, end: failure }];
}

/**
 * A case for every pair, so that each run of the matrix has the same cases, and for each larger
 * combination that failed or shows nothing.
 */
function pairCases(
  runs: readonly MatrixRun[],
  { breaking, silent, unsteady, untried, apart }: PairwiseResult,
  caseOf: (run: MatrixRun) => JunitCase,
): JunitCase[] {
  // A pair that only silent runs covered is reported as one of these runs.
  const unknown = untried.flatMap((pair) =>
    silent
      .filter(({ alternatives }) => pair.every((one) => alternatives.includes(one)))
      .map((run) => ({ ...run, alternatives: pair })),
  );
  const told = [...breaking, ...unknown, ...silent, ...unsteady];
  const failed = new Map(told.map((run) => [nameOfAll(run.alternatives), run]));
  const skipped = new Map(runs.flatMap((run) => whyNotPaired(run)));
  const notTogether = new Set(apart.map(nameOfAll));
  const pairs = pairsOf(runs.flatMap(({ alternatives }) => alternatives)).map((pair) => {
    const name = nameOfAll(pair);
    const run = failed.get(name);
    failed.delete(name);
    if (run) return caseOf(run);
    const notRun = pair.map((one) => skipped.get(one)).find(Boolean);
    const message = notRun ?? (notTogether.has(name) ? 'not seen together' : undefined);
    const end = message ? ({ kind: 'skipped', message, text: '' } as const) : undefined;
    return { classname: 'matrix.pairs', name, end };
  });
  return [...pairs, ...[...failed.values()].map(caseOf)];
}

/** Why the pairs of an alternative were not run; empty if they were. */
function whyNotPaired({ alternatives, outcome, isRun }: MatrixRun) {
  const hasFailed = outcome === 'failed';
  if (isRun && !hasFailed && outcome !== NOT_SEEN) return [];
  const why = hasFailed ? 'alone breaks the command' : `was ${outcome}`;
  return alternatives.map((one) => [one, `not run: ${nameOf(one)} ${why}`] as const);
}

function endOf({ output: text }: RunEnd, kind: 'failure' | 'skipped', message: string) {
  return { kind, message, text };
}
