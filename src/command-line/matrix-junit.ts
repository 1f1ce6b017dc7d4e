import { stripVTControlCharacters } from 'node:util';
import { nameOf, nameOfAll } from '../matrix/alternatives.js';
import { pairsOf } from '../matrix/combinations.js';
import { endInWords } from '../matrix/report-for-people.js';
import type { MatrixResult, MatrixRun, RunEnd } from '../matrix/run-matrix.js';
import { type JunitCase, junitXml } from './junit.js';

/** How much of the output of a run a case shows, in characters. */
const LONGEST_OUTPUT = 8_000;

/** What a matrix found, as JUnit XML: a case for the baseline, each alternative, and each pair. */
export function matrixJunitOf(
  command: readonly string[],
  startedAt: string,
  result: MatrixResult,
  accepted: ReadonlySet<string>,
): string {
  const { baseline, runs } = result;
  const cases = [
    { classname: 'matrix', name: 'baseline', ...baselineEnd(baseline) },
    ...runs.map((run) => caseOf('matrix', run, accepted)),
    ...pairCases(result, accepted),
  ];
  return junitXml({ name: command.join(' '), startedAt, cases });
}

function baselineEnd(baseline: RunEnd): Pick<JunitCase, 'durationMs' | 'end'> {
  const { durationMs, exitCode, requests } = baseline;
  const text = endOfOutput(baseline);
  const failure = (message: string) => ({ kind: 'failure', message, text }) as const;
  if (exitCode !== 0) return { durationMs, end: failure(endInWords(baseline)) };
  if (requests.length > 0) return { durationMs };
  return { durationMs, end: failure('passed without a request to the mock') };
}

/** A run that breaks the command fails, and is skipped if that is accepted. */
function caseOf(classname: string, run: MatrixRun, accepted: ReadonlySet<string>): JunitCase {
  const { alternatives, durationMs, differs } = run;
  const name = nameOfAll(alternatives);
  const end = endInWords(run);
  const text = endOfOutput(run);
  const kind = accepted.has(name) ? 'skipped' : 'failure';
  const message = kind === 'skipped' ? `accepted: ${end}` : end;
  return { classname, name, durationMs, ...(differs && { end: { kind, message, text } }) };
}

/** Every pair, so that a case does not come and go, and every larger combination that fails. */
function pairCases({ runs, pairwise }: MatrixResult, accepted: ReadonlySet<string>): JunitCase[] {
  if (pairwise === undefined) return [];
  const breaking = new Map(pairwise.breaking.map((run) => [nameOfAll(run.alternatives), run]));
  const alone = new Set(
    runs.filter(({ differs }) => differs).flatMap(({ alternatives }) => alternatives.map(nameOf)),
  );
  const pairs = pairsOf(runs.flatMap(({ alternatives }) => alternatives)).map((pair) => {
    const name = nameOfAll(pair);
    const run = breaking.get(name);
    breaking.delete(name);
    if (run) return caseOf('matrix.pairs', run, accepted);
    const breaks = pair.map(nameOf).find((one) => alone.has(one));
    const message = `not run: ${breaks} breaks it alone`;
    const end = { kind: 'skipped', message, text: '' } as const;
    return { classname: 'matrix.pairs', name, ...(breaks && { end }) };
  });
  const larger = [...breaking.values()].map((run) => caseOf('matrix.pairs', run, accepted));
  return [...pairs, ...larger];
}

function endOfOutput({ output }: RunEnd): string {
  return stripVTControlCharacters(output).slice(-LONGEST_OUTPUT).trimEnd();
}
