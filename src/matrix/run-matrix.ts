import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultRequest } from '../accounts/faults.js';
import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { type Coverage, OF_DECISIONS } from '../coverage/coverage.js';
import { addCoverage, parseCoverage } from '../coverage/merge.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { createMockServer } from '../server/mock-server.js';
import type { MockServer } from '../server/mock-server-interface.js';
import { handTo } from '../server/run-environment.js';
import {
  type Alternative,
  alternativesTo,
  type Combination,
  nameOf,
  nameOfAll,
} from './alternatives.js';
import { combinationsCovering } from './combinations.js';
import { type CommandEnd, runCommand } from './run-command.js';
import { inParallel, type SearchResult, searchCombinations } from './search-combinations.js';

/** The options of a matrix. */
export interface MatrixOptions {
  /** The user's own command, such as `npm test`. */
  readonly command: readonly string[];
  /** The dataset of every run, and the decisions of the baseline. */
  readonly server: MockServerOptions;
  /** Which of the alternatives are run. */
  readonly choose: (alternatives: readonly Alternative[]) => readonly Alternative[];
  /** Whether only those are run whose decision a response of the baseline rested on. */
  readonly isOnlyTouched: boolean;
  /** Whether pairs of alternatives are run as well. */
  readonly isPairwise: boolean;
  /** How many run at once. */
  readonly jobs: number;
  /** How long a run may take; by default ten times the baseline, and at least 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Ends all runs early. */
  readonly signal: AbortSignal;
  /** Called before the baseline, with the combinations that have every pair. */
  readonly onPlan: (
    alternatives: readonly Alternative[],
    combinations: readonly Combination[],
  ) => void;
  /** Called when the baseline has passed, and after each run. */
  readonly onProgress: (done: number, all: number, run?: MatrixRun) => void;
}

/** How one run of the command ended, and the requests that it sent. */
export interface RunEnd extends CommandEnd {
  /** The requests that the mock received, in order. */
  readonly requests: readonly JournalRequest[];
  /** What they have touched, and those of mocks that the command has started. */
  readonly coverage: Coverage;
}

/** One run of the command under one alternative, or under several together. */
export interface MatrixRun extends RunEnd {
  readonly alternatives: Combination;
  /** True if the command failed, as it did not in the baseline. */
  readonly differs: boolean;
  /** False if no response rested on any of the alternatives. */
  readonly isTouched: boolean;
  /** False if it was left out, because no response of the baseline rested on its decision. */
  readonly isRun: boolean;
}

/** The result of a whole matrix. */
export interface MatrixResult {
  readonly baseline: RunEnd;
  /** One run for each alternative. */
  readonly runs: readonly MatrixRun[];
  /** What was found of pairs, if they were run. */
  readonly pairwise?: SearchResult<MatrixRun>;
}

const SHORTEST_TIMEOUT_MS = 30_000;

/**
 * Runs the command once with unchanged decisions and once under each alternative, each time
 * against a separate server and account; then, if it is pairwise, under combinations of those that
 * break nothing alone. Runs no alternative if the baseline fails, or calls nothing.
 */
export async function runMatrix(options: MatrixOptions): Promise<MatrixResult> {
  const { isPairwise, isOnlyTouched, jobs } = options;
  const first = await createRun(options, 'matrix-baseline', {});
  const chosen = options.choose(alternativesTo(first.inForce));
  const plan = (alternatives: Combination) => {
    const combinations = isPairwise ? combinationsCovering(alternatives) : [];
    options.onPlan(alternatives, combinations);
    return { alternatives, combinations };
  };
  const planned = isOnlyTouched ? undefined : plan(chosen);
  const baseline = await first.run(options.timeoutMs);
  if (!isComparable(baseline)) return { baseline, runs: [] };
  const touched = decisionsIn(baseline.coverage);
  const { alternatives, combinations } =
    planned ?? plan(chosen.filter(({ decision }) => touched.has(decision)));
  const timeoutMs = options.timeoutMs ?? timeoutAfter(baseline);
  const run = createRunner(options, timeoutMs, alternatives.length + combinations.length);
  const runs: MatrixRun[] = [];
  await inParallel(chosen, jobs, async (alternative, place) => {
    const isRun = alternatives.includes(alternative);
    runs[place] = isRun ? await run([alternative]) : notRun(alternative, baseline);
  });
  if (!isPairwise) return { baseline, runs };
  const breaking = runs.filter(({ differs }) => differs).flatMap((one) => one.alternatives);
  const found = await searchCombinations({
    combinations: combinations.map((all) => all.filter((one) => !breaking.includes(one))),
    jobs,
    run,
  });
  // With several jobs they are found in any order.
  const placeOf = (one: MatrixRun) =>
    one.alternatives.map((each) => String(alternatives.indexOf(each)).padStart(3)).join();
  const inOrder = found.breaking.toSorted((one, other) =>
    placeOf(one).localeCompare(placeOf(other)),
  );
  return { baseline, runs, pairwise: { ...found, breaking: inOrder } };
}

/** A function that runs the command under alternatives, and shows how far it has come. */
function createRunner(options: MatrixOptions, timeoutMs: number, planned: number) {
  let done = 0;
  options.onProgress(done, planned);
  return async (alternatives: Combination): Promise<MatrixRun> => {
    const name = alternatives.length > 1 ? 'combination' : nameOfAll(alternatives);
    const token = `matrix-${name.replaceAll(/[^\w-]/g, '-')}`;
    const { run } = await createRun(options, token, { alternatives });
    const ended = await run(timeoutMs);
    const finished = {
      alternatives,
      ...ended,
      differs: ended.exitCode !== 0,
      isTouched: alternatives.some((one) => touches(ended.coverage, one)),
      isRun: true,
    };
    done += 1;
    // To narrow down what fails takes more runs than were planned.
    options.onProgress(done, Math.max(done, planned), finished);
    return finished;
  };
}

/** How long a run may take, unless it is said. */
export function timeoutAfter({ durationMs }: RunEnd): number {
  return Math.max(SHORTEST_TIMEOUT_MS, 10 * durationMs);
}

/** Whether a run is a basis for a comparison: it passed, and it called a mock. */
export function isComparable({ exitCode, requests, coverage }: RunEnd): boolean {
  return exitCode === 0 && requests.length + callsIn(coverage) > 0;
}

/** How many calls of operations were counted. */
export function callsIn({ rows }: Coverage): number {
  const calls = rows.filter(({ row }) => row === 'called');
  return calls.reduce((sum, { count }) => sum + count, 0);
}

/** How often a row was touched, and how often the same request came again if it is of a fault. */
export function countOf({ rows }: Coverage, of: string, row: string) {
  const { count = 0, triedAgain = 0 } = rows.find((one) => one.of === of && one.row === row) ?? {};
  return { count, triedAgain };
}

/** The decisions that responses rested on. */
function decisionsIn({ rows }: Coverage): ReadonlySet<string> {
  const touched = rows.filter(({ of, count }) => of === OF_DECISIONS && count > 0);
  return new Set(touched.map(({ row }) => row.slice(0, row.indexOf('='))));
}

function touches(coverage: Coverage, alternative: Alternative): boolean {
  return countOf(coverage, OF_DECISIONS, nameOf(alternative)).count > 0;
}

/** An alternative that is left out: every response would be that of the baseline. */
function notRun(alternative: Alternative, { coverage }: RunEnd): MatrixRun {
  return {
    ...{ alternatives: [alternative], differs: false, isTouched: false, isRun: false },
    ...{ exitCode: 0, hasTimedOut: false, durationMs: 0, output: '', requests: [], coverage },
  };
}

/** What is otherwise in a run than in the baseline. */
interface Changed {
  readonly alternatives?: Combination;
  readonly faults?: readonly FaultRequest[];
}

/** A server for one run, with the account that the command uses. */
export async function createRun(
  { command, server: shared, signal }: Pick<MatrixOptions, 'command' | 'server' | 'signal'>,
  token: string,
  { alternatives = [], faults = [] }: Changed,
) {
  signal.throwIfAborted();
  const switched = Object.fromEntries(alternatives.map(({ decision, value }) => [decision, value]));
  const decisions = { ...shared.decisions, ...switched };
  const server = await createMockServer({
    ...shared,
    // An answer may differ in nothing but a value.
    captureBodies: true,
    decisions,
    faults,
    // Declared, so that it is known where unknown tokens are refused.
    accounts: { ...shared.accounts, [token]: {} },
  });
  return {
    inForce: server.account(token).decisions.inForce,
    async run(timeoutMs: number | undefined): Promise<RunEnd> {
      const url = await server.start();
      const folder = mkdtempSync(join(tmpdir(), 'usage-billing-mock-'));
      const coverage = join(folder, 'coverage.json');
      try {
        const env = handTo(folder, { decisions, faults, coverage });
        const end = await runCommand({ command, url, token, env, timeoutMs, signal });
        signal.throwIfAborted();
        return { ...end, requests: requestsOf(server), coverage: coverageWith(server, coverage) };
      } finally {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** What the server has seen, and what the command's own mocks have written. */
function coverageWith(server: MockServer, file: string): Coverage {
  const own = server.coverage();
  return existsSync(file) ? addCoverage(own, parseCoverage(readFileSync(file, 'utf8'))) : own;
}

function requestsOf(server: MockServer): readonly JournalRequest[] {
  const accounts = server.tokens().map((token) => server.account(token));
  const requests = [server, ...accounts].flatMap(({ journal }) => journal.list());
  return requests.sort((one, other) => one.at.localeCompare(other.at));
}
