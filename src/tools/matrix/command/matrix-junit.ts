import { type JunitCase, junitXml } from '../../../host/terminal/junit.js';
import { nameOf } from '../alternatives.js';
import { isUncalled, isUnknown, NOT_SEEN, NOT_TOUCHED } from '../outcomes.js';
import type { MatrixReport } from '../report.js';
import {
  askedLess,
  endInWords,
  FAILED_NOT_EACH_TIME,
  NAMED_BUT_NOT_TOUCHED,
  WHY_SILENT,
  why,
  whyNoFailure,
  whyUncalled,
} from '../report-for-people.js';
import type { MatrixResult, MatrixRun } from '../run-matrix.js';
import { isComparable, type RunEnd } from '../single-run.js';
import { type Controls, canCompare, type Tried } from '../trials.js';

/**
 * Writes JUnit XML with a test case for the baseline, the canary, every alternative, the operations
 * that were not seen and the decisions that were named but not touched.
 */
export function matrixJunitOf(
  command: readonly string[],
  startedAt: string,
  result: MatrixResult,
  report: MatrixReport,
): string {
  const { runs, notSeen } = result;
  const ends = new Map(report.alternatives.map((end) => [nameOf(end), end]));
  const caseOf = (run: MatrixRun): JunitCase => {
    const name = nameOf(run.alternative);
    const { durationMs, outcome } = run;
    const one = { classname: 'matrix', name, durationMs };
    if (isUnknown(outcome)) return { ...one, end: unknownEnd(run, whyUncalled(outcome)) };
    const less = askedLess(run.notCalled);
    if (outcome === NOT_TOUCHED) {
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
    ...runs.map(caseOf),
    ...notSeen.map((name): JunitCase => {
      const end = { kind: 'failure', message: `${NOT_SEEN}: ${WHY_SILENT}`, text: '' } as const;
      return { classname: 'matrix.operations', name, end };
    }),
    ...report.notTouched.map((name): JunitCase => {
      const end = { kind: 'failure', message: NAMED_BUT_NOT_TOUCHED, text: '' } as const;
      return { classname: 'matrix.decisions', name, end };
    }),
  ];
  return junitXml({ name: command.join(' '), startedAt, cases });
}

/** The failure of a run that shows nothing. */
export function unknownEnd({ outcome, output: text }: Tried, whyUncalled: string) {
  const why = isUncalled(outcome) ? whyUncalled : FAILED_NOT_EACH_TIME;
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

function endOf({ output: text }: RunEnd, kind: 'failure' | 'skipped', message: string) {
  return { kind, message, text };
}
