import { stripVTControlCharacters } from 'node:util';
import { nameOf, nameOfAll } from '../matrix/alternatives.js';
import { pairsOf } from '../matrix/covering-pairs.js';
import { NO_REQUESTS, NOT_TOUCHED, outcomeOf } from '../matrix/report.js';
import { askedLess, endInWords, whySilent } from '../matrix/report-for-people.js';
import type { MatrixResult, MatrixRun } from '../matrix/run-matrix.js';
import { isComparable, type RunEnd } from '../matrix/single-run.js';
import { type JunitCase, junitXml } from './junit.js';

/** How much of the output of a run a case shows, in characters. */
const LONGEST_OUTPUT = 8_000;

/** What a matrix found, as JUnit XML: a case for the baseline, each alternative, and each pair. */
export function matrixJunitOf(
  command: readonly string[],
  startedAt: string,
  { baseline, runs, pairwise }: MatrixResult,
  accepted: ReadonlySet<string>,
): string {
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
    const end = accepted.has(name)
      ? endOf(run, 'skipped', `accepted: ${endInWords(run)}`)
      : endOf(run, 'failure', endInWords(run));
    return { classname, name, durationMs, ...(differs ? { end } : { output: less }) };
  };
  const cases = [
    baselineCase(baseline),
    ...runs.map((run) => caseOf('matrix', run)),
    ...(pairwise
      ? pairCases(runs, [...pairwise.breaking, ...pairwise.silent], (run) =>
          caseOf('matrix.pairs', run),
        )
      : []),
  ];
  return junitXml({ name: command.join(' '), startedAt, cases });
}

function baselineCase(baseline: RunEnd): JunitCase {
  const { durationMs, exitCode } = baseline;
  const message = exitCode === 0 ? 'passed without a request to the mock' : endInWords(baseline);
  const end = isComparable(baseline) ? undefined : endOf(baseline, 'failure', message);
  return { classname: 'matrix', name: 'baseline', durationMs, end };
}

/** Every pair, so that a case does not come and go, and every larger combination that fails. */
function pairCases(
  runs: readonly MatrixRun[],
  told: readonly MatrixRun[],
  caseOf: (run: MatrixRun) => JunitCase,
): JunitCase[] {
  const failed = new Map(told.map((run) => [nameOfAll(run.alternatives), run]));
  const alone = runs.filter(({ differs }) => differs).flatMap((run) => run.alternatives);
  const pairs = pairsOf(runs.flatMap(({ alternatives }) => alternatives)).map((pair) => {
    const name = nameOfAll(pair);
    const run = failed.get(name);
    failed.delete(name);
    if (run) return caseOf(run);
    const breaks = pair.find((one) => alone.includes(one));
    const message = breaks && `not run: ${nameOf(breaks)} alone breaks the command`;
    const end = message ? ({ kind: 'skipped', message, text: '' } as const) : undefined;
    return { classname: 'matrix.pairs', name, end };
  });
  return [...pairs, ...[...failed.values()].map(caseOf)];
}

function endOf({ output }: RunEnd, kind: 'failure' | 'skipped', message: string) {
  const text = stripVTControlCharacters(output).slice(-LONGEST_OUTPUT).trimEnd();
  return { kind, message, text };
}
