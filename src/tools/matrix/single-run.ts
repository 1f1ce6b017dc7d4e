import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Coverage, callsIn, type FaultRequest, PARAMETERS, parseCoverage, sumOf } from '#spec';
import { OptionError } from '../../core/errors/option-error.js';
import { shown } from '../../core/values/received-value.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import type { MockServer } from '../../host/server/mock-interface.js';
import { createMock } from '../../host/server/mock-server.js';
import { handTo } from '../../host/server/process/run-environment.js';
import { type CommandEnd, runCommand } from '../../host/terminal/run-command.js';
import type { Alternative } from './alternatives.js';
import { type RunRequest, requestsOfRun } from './requests-of-run.js';

export interface SharedByRuns {
  /** The user's own command, such as `npm test`. */
  readonly command: readonly string[];
  /** Removes secrets from its output. */
  readonly redact: (output: string) => string;
  /** The dataset of every run, and the decisions of the baseline. */
  readonly server: MockServerOptions;
  readonly jobs: number;
  /**
   * How long a run may take. By default, the baseline has no limit, and other runs have ten times
   * its duration, at least 30 seconds.
   */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

export interface RunEnd extends CommandEnd {
  /** The requests to the run's server, oldest first; none to mocks that the command started. */
  readonly requests: readonly RunRequest[];
  /** What requests touched, in this mock and in mocks that the command started. */
  readonly coverage: Coverage;
}

const MIN_TIMEOUT_MS = 30_000;

export function timeoutAfter({ durationMs }: RunEnd): number {
  return Math.max(MIN_TIMEOUT_MS, 10 * durationMs);
}

/** True if runs can be compared with this baseline: it passed, and a mock had answered it by then. */
export function isComparable(end: RunEnd): boolean {
  return end.exitCode === 0 && hasCalled(end);
}

/** True if a run passed before any mock had answered it, as far as is known: that proves nothing. */
export function isSilent(end: RunEnd): boolean {
  return end.exitCode === 0 && !hasCalled(end);
}

function hasCalled({ requests, coverage }: RunEnd): boolean {
  // What is still under way, perhaps from a process that outlives the command, has touched nothing.
  const ended = requests.filter(({ outcome }) => outcome !== undefined);
  return ended.length + callsIn(coverage) > 0;
}

/** The operations that were called. */
export function calledIn(coverage: Coverage): readonly string[] {
  return Object.keys(PARAMETERS).filter((operationId) => callsIn(coverage, operationId) > 0);
}

/** How a run differs from the baseline. */
export interface Changed {
  readonly alternative?: Alternative;
  readonly faults?: readonly FaultRequest[];
  /** True to answer every call with a 500, except below `/__control`. */
  readonly failsEveryCall?: boolean;
}

/** Creates the server for one run, with the account that the command uses. */
export async function createRun(
  { command, redact, server: shared, signal }: SharedByRuns,
  token: string,
  { alternative, faults = [], failsEveryCall = false }: Changed,
) {
  signal.throwIfAborted();
  const changed = alternative && { [alternative.decision]: alternative.value };
  const decisions = { ...shared.decisions, ...changed };
  const { server } = await createMock(
    {
      ...shared,
      // Responses may differ in nothing but a value in the body.
      captureBodies: true,
      decisions,
      faults,
      // Declared, so that it is accepted even if unknown tokens are rejected.
      accounts: { ...shared.accounts, [token]: {} },
    },
    { failsEveryCall },
  );
  return {
    inForce: server.account(token).decisions.inForce,
    async run(timeoutMs: number | undefined): Promise<RunEnd> {
      const url = await server.start();
      const folder = mkdtempSync(join(tmpdir(), 'usage-billing-mock-'));
      const coverage = join(folder, 'coverage.jsonl');
      try {
        const env = handTo(basename(folder), { decisions, faults, coverage, failsEveryCall });
        const end = await runCommand({ command, redact, url, token, env, timeoutMs, signal });
        signal.throwIfAborted();
        return {
          ...end,
          requests: await requestsOfRun(server),
          coverage: coverageWith(server, coverage),
        };
      } finally {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function coverageWith(server: MockServer, file: string): Coverage {
  const own = server.coverage();
  if (!existsSync(file)) return own;
  const others = readOthers(file);
  if (others.version !== own.version) {
    throw new OptionError(
      `The command starts mocks of version ${shown(others.version)}; expected ${shown(own.version)}, that of the matrix, because it adds up what all of them count. Run the matrix of the package that the tests import.`,
    );
  }
  return sumOf(own.version, [own, others]);
}

function readOthers(file: string): Coverage {
  try {
    return parseCoverage(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new OptionError(
      `The command starts mocks of several versions, or something else writes to the file of their coverage: ${(error as Error).message}.`,
    );
  }
}
