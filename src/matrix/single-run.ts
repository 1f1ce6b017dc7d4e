import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultRequest } from '../accounts/faults.js';
import type { Coverage } from '../coverage/coverage.js';
import { addCoverage, lostRows, parseCoverage } from '../coverage/merge.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { type MocksOfRun, mocksOfRun } from '../server/coverage-file.js';
import type { MockServer } from '../server/mock-interface.js';
import { createMockServer } from '../server/mock-server.js';
import { handTo } from '../server/run-environment.js';
import type { Combination } from './alternatives.js';
import { type RunRequest, requestsOfRun } from './requests-of-run.js';
import { type CommandEnd, runCommand } from './run-command.js';

/** What all runs of a matrix have in common. */
export interface SharedByRuns {
  /** The user's own command, such as `npm test`. */
  readonly command: readonly string[];
  /** Takes the secrets out of its output. */
  readonly redact: (output: string) => string;
  /** The dataset of every run, and the decisions of the baseline. */
  readonly server: MockServerOptions;
  /** How many run at once. */
  readonly jobs: number;
  /** How long a run may take; by default ten times the baseline, and at least 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Ends all runs early. */
  readonly signal: AbortSignal;
}

/** How one run of the command ended, and the requests that it sent. */
export interface RunEnd extends CommandEnd {
  /** The requests that the mock received, in order. */
  readonly requests: readonly RunRequest[];
  /** What they have touched, and those of mocks that the command has started. */
  readonly coverage: Coverage;
  /** What mocks that the command has started tell of themselves. */
  readonly ownMocks: MocksOfRun;
}

const SHORTEST_TIMEOUT_MS = 30_000;

/** How long a run may take, unless it is said. */
export function timeoutAfter({ durationMs }: RunEnd): number {
  return Math.max(SHORTEST_TIMEOUT_MS, 10 * durationMs);
}

/** Whether a run is a basis for a comparison: it passed, and it called a mock. */
export function isComparable(end: RunEnd): boolean {
  return end.exitCode === 0 && hasCalled(end);
}

/** Whether a run passed without calling any mock, as far as they tell: it shows nothing. */
export function isSilent(end: RunEnd): boolean {
  return end.exitCode === 0 && !hasCalled(end);
}

function hasCalled({ requests, coverage, ownMocks }: RunEnd): boolean {
  return requests.length + callsIn(coverage) + ownMocks.calls > 0;
}

/** The operations that a run which passed left out, though the baseline called them. */
export function notCalledIn(end: RunEnd, baseline: RunEnd): readonly string[] {
  if (end.exitCode !== 0 || isSilent(end)) return [];
  const lost = lostRows(end.coverage, baseline.coverage);
  return lost.filter(({ row }) => row === 'called').map(({ of }) => of);
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

/** What is otherwise in a run than in the baseline. */
interface Changed {
  readonly alternatives?: Combination;
  readonly faults?: readonly FaultRequest[];
}

/** A server for one run, with the account that the command uses. */
export async function createRun(
  { command, redact, server: shared, signal }: SharedByRuns,
  token: string,
  { alternatives = [], faults = [] }: Changed,
) {
  signal.throwIfAborted();
  const switched = Object.fromEntries(alternatives.map(({ decision, value }) => [decision, value]));
  const decisions = { ...shared.decisions, ...switched };
  const server = await createMockServer({
    ...shared,
    // A response may differ in nothing but a value.
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
        const end = await runCommand({ command, redact, url, token, env, timeoutMs, signal });
        signal.throwIfAborted();
        return {
          ...end,
          requests: await requestsOfRun(server),
          coverage: coverageWith(server, coverage),
          ownMocks: mocksOfRun(coverage, folder),
        };
      } finally {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** What the run's server saw, and what the command's own mocks reported. */
function coverageWith(server: MockServer, file: string): Coverage {
  const own = server.coverage();
  return existsSync(file) ? addCoverage(own, parseCoverage(readFileSync(file, 'utf8'))) : own;
}
