import { isMainThread } from 'node:worker_threads';
import type { DecisionChanges } from '../../../core/decisions/decision-changes.js';
import type { FaultRequest } from '../../../mock/accounts/faults.js';
import type { CompleteOptions } from '../../options/complete-options.js';
import { variableOf } from '../../options/option-table.js';

/** What `matrix` passes to mocks that its command starts. */
export interface HandedByMatrix {
  /** The run's decisions; a mock's own options win. */
  readonly decisions: DecisionChanges;
  /** The faults that each account opens with. */
  readonly faults: readonly FaultRequest[];
  /** The file to which mocks write their coverage. */
  readonly coverage: string;
  /** True if every call is to fail, except below `/__control`. */
  readonly failsEveryCall: boolean;
}

/**
 * The variables of a command that `matrix` or `exec` runs: the mock's URL, the token to call it
 * with, and the name of the run, which test caches may know as a variable that a test reads.
 */
export const COMMAND_VARIABLES = {
  url: 'USAGE_BILLING_MOCK_URL',
  token: 'USAGE_BILLING_MOCK_TOKEN',
  run: 'USAGE_BILLING_MOCK_RUN',
} as const;

// Not with the prefix of the options' variables: the command refuses unknown ones with it.
const MATRIX_VARIABLE = 'MATRIX_OF_USAGE_BILLING_MOCK';

/** The variables in which test runners number their workers. */
const WORKER_VARIABLES: readonly string[] = [
  ...['JEST_WORKER_ID', 'VITEST_POOL_ID', 'TEST_WORKER_INDEX'],
];

export function handTo(run: string, handed: HandedByMatrix): NodeJS.ProcessEnv {
  return { [COMMAND_VARIABLES.run]: run, [MATRIX_VARIABLE]: JSON.stringify(handed) };
}

/** Makes the processes that this one starts part of its run, unless it already belongs to a run. */
export function beginRun(run: string): void {
  process.env[COMMAND_VARIABLES.run] ??= run;
}

/**
 * The id of the run that this process belongs to. A job, `matrix` or `beginRun` may have set it.
 * Otherwise, in a worker process of a test runner, it is the id of the parent process, which all
 * workers share; in any other process, its own.
 */
export function runName(): string {
  const { pid, ppid, env } = process;
  const isWorker = process.send !== undefined && WORKER_VARIABLES.some((name) => env[name]);
  const own = isMainThread ? `${pid}-${performance.timeOrigin}` : `${pid}`;
  return env[COMMAND_VARIABLES.run] ?? (isWorker ? `${ppid}` : own);
}

/** True in the run of `matrix` in which every call is to fail. */
export function failsEveryCallInRun(): boolean {
  return handed()?.failsEveryCall ?? false;
}

/** Adds the options that `matrix` or the environment gives all mocks of a run. */
export function optionsInRun(options: CompleteOptions): CompleteOptions {
  const { [variableOf('coverage')]: file } = process.env;
  const given = handed();
  if (!given) return file ? { ...options, coverage: options.coverage ?? file } : options;
  return {
    ...options,
    coverage: given.coverage,
    decisions: { ...given.decisions, ...options.decisions },
    faults: [...given.faults, ...options.faults],
  };
}

function handed(): HandedByMatrix | undefined {
  const { [MATRIX_VARIABLE]: text } = process.env;
  return text ? (JSON.parse(text) as HandedByMatrix) : undefined;
}
