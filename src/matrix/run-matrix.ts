import type { JournalRequest } from '../accounts/journal/journal-request.js';
import type { Decisions } from '../decisions/ledger.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { createMockServer } from '../server/mock-server.js';
import type { MockServer } from '../server/mock-server-interface.js';
import { type Alternative, alternativesTo, nameOf } from './alternatives.js';
import { type CommandEnd, runCommand } from './run-command.js';

/** The options of a matrix. */
export interface MatrixOptions {
  /** The user's own command, such as `npm test`. */
  readonly command: readonly string[];
  /** The dataset of every run, and the decisions of the baseline. */
  readonly server: MockServerOptions;
  /** Which of the alternatives are run. */
  readonly choose: (alternatives: readonly Alternative[]) => readonly Alternative[];
  /** How many run at once. */
  readonly jobs: number;
  /** How long a run may take; by default ten times the baseline, and at least 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Ends all runs early. */
  readonly signal: AbortSignal;
  /** Called when the baseline has passed, and after each run. */
  readonly onProgress: (done: number, all: number, run?: MatrixRun) => void;
}

/** How one run of the command ended, and the requests that it sent. */
interface RunEnd extends CommandEnd {
  /** The requests that the mock received, in order. */
  readonly requests: readonly JournalRequest[];
}

/** One run of the command under one alternative. */
export interface MatrixRun extends Alternative, RunEnd {
  /** True if the command failed, as it did not in the baseline. */
  readonly differs: boolean;
}

/** The result of a whole matrix. */
export interface MatrixResult {
  readonly baseline: RunEnd;
  readonly runs: readonly MatrixRun[];
}

const SHORTEST_TIMEOUT_MS = 30_000;

/**
 * Runs the command once with unchanged decisions and once under each alternative, each time
 * against a separate server and account. Runs no alternative if the baseline fails, or calls
 * nothing.
 */
export async function runMatrix(options: MatrixOptions): Promise<MatrixResult> {
  const first = await createRun(options, 'matrix-baseline', {});
  const alternatives = options.choose(alternativesTo(first.inForce));
  const baseline = await first.run(options.timeoutMs);
  if (baseline.exitCode !== 0 || baseline.requests.length === 0) return { baseline, runs: [] };
  const timeoutMs = options.timeoutMs ?? Math.max(SHORTEST_TIMEOUT_MS, 10 * baseline.durationMs);
  const runs: MatrixRun[] = [];
  options.onProgress(0, alternatives.length);
  // Every job takes the next alternative from the one queue.
  const queue = alternatives.entries();
  const work = async () => {
    for (const [index, alternative] of queue) {
      const { decision, value } = alternative;
      const token = `matrix-${nameOf(alternative).replaceAll(/[^\w-]/g, '-')}`;
      const { run } = await createRun(options, token, { [decision]: value });
      const ended = await run(timeoutMs);
      const finished = { ...alternative, ...ended, differs: ended.exitCode !== 0 };
      runs[index] = finished;
      options.onProgress(runs.filter(Boolean).length, alternatives.length, finished);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return { baseline, runs };
}

/** A server for one run, with the account that the command uses. */
async function createRun(
  { command, server: shared, signal }: MatrixOptions,
  token: string,
  switched: Partial<Decisions>,
) {
  signal.throwIfAborted();
  const server = await createMockServer({
    ...shared,
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
