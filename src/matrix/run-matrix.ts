import type { JournalRequest } from '../accounts/journal/journal-request.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { createMockServer } from '../server/mock-server.js';
import type { MockServer } from '../server/mock-server-interface.js';
import { type Alternative, alternativesTo, type Combination, nameOfAll } from './alternatives.js';
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
}

/** One run of the command under one alternative, or under several together. */
export interface MatrixRun extends RunEnd {
  readonly alternatives: Combination;
  /** True if the command failed, as it did not in the baseline. */
  readonly differs: boolean;
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
  const { isPairwise, jobs } = options;
  const first = await createRun(options, 'matrix-baseline', []);
  const alternatives = options.choose(alternativesTo(first.inForce));
  const combinations = isPairwise ? combinationsCovering(alternatives) : [];
  options.onPlan(alternatives, combinations);
  const baseline = await first.run(options.timeoutMs);
  if (baseline.exitCode !== 0 || baseline.requests.length === 0) return { baseline, runs: [] };
  const timeoutMs = options.timeoutMs ?? Math.max(SHORTEST_TIMEOUT_MS, 10 * baseline.durationMs);
  const run = createRunner(options, timeoutMs, alternatives.length + combinations.length);
  const runs: MatrixRun[] = [];
  await inParallel(alternatives, jobs, async (alternative, place) => {
    runs[place] = await run([alternative]);
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
    const { run } = await createRun(options, token, alternatives);
    const ended = await run(timeoutMs);
    const finished = { alternatives, ...ended, differs: ended.exitCode !== 0 };
    done += 1;
    // To narrow down what fails takes more runs than were planned.
    options.onProgress(done, Math.max(done, planned), finished);
    return finished;
  };
}

/** A server for one run, with the account that the command uses. */
async function createRun(
  { command, server: shared, signal }: MatrixOptions,
  token: string,
  alternatives: Combination,
) {
  signal.throwIfAborted();
  const switched = Object.fromEntries(alternatives.map(({ decision, value }) => [decision, value]));
  const server = await createMockServer({
    ...shared,
    // An answer may differ in nothing but a value.
    captureBodies: true,
    decisions: { ...shared.decisions, ...switched },
    // Declared, so that it is known where unknown tokens are refused.
    accounts: { ...shared.accounts, [token]: {} },
  });
  return {
    inForce: server.account(token).decisions.inForce,
    async run(timeoutMs: number | undefined): Promise<RunEnd> {
      const url = await server.start();
      const end = await runCommand({ command, url, token, timeoutMs, signal }).finally(server.stop);
      signal.throwIfAborted();
      return { ...end, requests: requestsOf(server) };
    },
  };
}

function requestsOf(server: MockServer): readonly JournalRequest[] {
  const accounts = server.tokens().map((token) => server.account(token));
  const requests = [server, ...accounts].flatMap(({ journal }) => journal.list());
  return requests.sort((one, other) => one.at.localeCompare(other.at));
}
