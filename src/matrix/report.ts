import { stripVTControlCharacters } from 'node:util';
import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { LEDGER, type LedgerRow } from '../decisions/ledger.js';
import { type Alternative, nameOf, nameOfAll, TOGETHER } from './alternatives.js';
import { firstDifference } from './first-difference.js';
import { pairsOf } from './pairs.js';
import type { MatrixResult, MatrixRun, RunEnd } from './run-matrix.js';
import type { SearchResult } from './search-combinations.js';

/** The result of a matrix, as JSON. */
export interface MatrixReport {
  readonly command: readonly string[];
  readonly baseline: { readonly durationMs: number; readonly requests: number };
  readonly alternatives: readonly AlternativeReport[];
  /** What was found of pairs, if they were run. */
  readonly pairwise?: PairwiseReport;
}

/** What alternatives break together that each alone does not. */
interface PairwiseReport {
  /** How many pairs were tried: those of alternatives that break nothing alone. */
  readonly pairs: number;
  readonly breaking: readonly CombinationReport[];
  /** The names of combinations that failed once, and passed when they were run again. */
  readonly unsteady: readonly string[];
  /** The names of accepted combinations that break nothing. */
  readonly acceptedInVain: readonly string[];
}

/** An alternative in words. */
export interface AlternativeInWords {
  readonly decision: string;
  readonly value: string;
  readonly section: string;
  readonly question: string;
  readonly meaning: string;
}

/** How the run of one alternative or combination ended. */
export interface EndReport {
  readonly differs: boolean;
  readonly isAccepted: boolean;
  readonly exitCode: number | null;
  readonly hasTimedOut: boolean;
  readonly durationMs: number;
  /** The first exchange that differs from the baseline: in its target, status, problem or length. */
  readonly firstOther?: JournalRequest;
  /** The last exchange before the command ended. */
  readonly last?: JournalRequest;
  /** The output that is not in the baseline's: each line once, no stack frames. */
  readonly output?: string;
}

/** The result of one alternative. */
interface AlternativeReport extends AlternativeInWords, EndReport {}

/** The result of alternatives that break the command together. */
export interface CombinationReport extends EndReport {
  readonly alternatives: readonly AlternativeInWords[];
}

/** Creates the report of a matrix. */
export function reportOf(
  command: readonly string[],
  { baseline, runs, pairwise }: MatrixResult,
  accepted: ReadonlySet<string>,
): MatrixReport {
  const end = createEndOf(baseline, accepted);
  return {
    command,
    baseline: { durationMs: baseline.durationMs, requests: baseline.requests.length },
    alternatives: runs.flatMap((run) =>
      run.alternatives.map((one) => ({ ...inWords(one), ...end(run) })),
    ),
    ...(pairwise && { pairwise: pairwiseReportOf(runs, pairwise, accepted, end) }),
  };
}

function pairwiseReportOf(
  runs: readonly MatrixRun[],
  { breaking, unsteady }: SearchResult<MatrixRun>,
  accepted: ReadonlySet<string>,
  end: (run: MatrixRun) => EndReport,
): PairwiseReport {
  const alone = passingAlone(runs);
  const names = new Set(alone.map(nameOf));
  const found = new Set(breaking.map(({ alternatives }) => nameOfAll(alternatives)));
  const isInVain = (name: string) =>
    name.includes(TOGETHER) &&
    name.split(TOGETHER).every((part) => names.has(part)) &&
    !found.has(name);
  return {
    pairs: pairsOf(alone).length,
    breaking: breaking.map((run) => ({
      alternatives: run.alternatives.map(inWords),
      ...end(run),
    })),
    unsteady: unsteady.map(({ alternatives }) => nameOfAll(alternatives)),
    acceptedInVain: [...accepted].filter(isInVain),
  };
}

/** The alternatives that break nothing alone. */
function passingAlone(runs: readonly MatrixRun[]): readonly Alternative[] {
  return runs.filter(({ differs }) => !differs).flatMap(({ alternatives }) => alternatives);
}

function inWords({ decision, value }: Alternative): AlternativeInWords {
  const { section, question, values }: LedgerRow = LEDGER[decision];
  return { decision, value, section, question, meaning: values[value] ?? value };
}

/** A function that reports how a run ended, and what in it is not in the baseline. */
function createEndOf(baseline: RunEnd, accepted: ReadonlySet<string>) {
  const written = new Set(linesOf(baseline.output).map(withoutFigures));
  return (run: MatrixRun): EndReport => {
    const { alternatives, differs, exitCode, hasTimedOut, durationMs, requests } = run;
    const isAccepted = accepted.has(nameOfAll(alternatives));
    const end = { differs, isAccepted, exitCode, hasTimedOut, durationMs };
    if (!differs) return end;
    const firstOther = firstDifference(requests, baseline.requests);
    const last = requests.at(-1);
    const lines = linesOf(run.output).filter((line) => !written.has(withoutFigures(line)));
    const output = [...new Set(lines)].join('\n');
    return { ...end, ...(firstOther && { firstOther }), ...(last && { last }), output };
  };
}

/** The lines of an output without empty ones and stack frames. */
function linesOf(output: string): string[] {
  return stripVTControlCharacters(output)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
}

/** Durations, ports and addresses differ from run to run. */
function withoutFigures(line: string): string {
  return line.replaceAll(/\d+/g, '0').trim();
}
