import { constants } from 'node:os';
import { inspect } from 'node:util';
import { endWithNpm } from './end-with.js';
import { variableValue } from './flags-and-variables.js';

/** The command's exit codes for failures; `failed` is what Node uses for an uncaught error. */
export const EXIT = {
  failed: 1,
  somethingDiffers: 1,
  wrongUse: 2,
  noPort: 3,
  couldNotLook: 4,
} as const;

export function fail(exitCode: number, sentence: string): never {
  tell('fatal', sentence);
  process.exit(exitCode);
}

export function failUnexpectedly(error: unknown): never {
  fail(EXIT.failed, inspect(error));
}

/** Writes `text` to standard error, or a line of JSON with `members` if the log is JSON. */
export function tell(
  level: 'info' | 'error' | 'fatal',
  msg: string,
  { members = {}, text = `usage-billing-mock: ${msg}\n` } = {},
): void {
  const line = { level, time: new Date().toISOString(), ...members, msg };
  process.stderr.write(writesJson() ? `${JSON.stringify(line)}\n` : text);
}

const LOG_FORMAT = '--log-format';

/** Reads the arguments itself: a wrong flag is reported before the flags are parsed. */
function writesJson(): boolean {
  const given = process.argv.slice(2);
  const end = given.indexOf('--');
  const args = end < 0 ? given : given.slice(0, end);
  const values = args.flatMap((arg, nth) => {
    if (arg === LOG_FORMAT) return [args[nth + 1]];
    return arg.startsWith(`${LOG_FORMAT}=`) ? [arg.slice(LOG_FORMAT.length + 1)] : [];
  });
  return (values.at(-1) ?? variableValue('logFormat')) === 'json';
}

/** 128 plus the number of the signal, as in shells. */
export function codeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `act` for each signal that asks the process to end. Also calls it, as for SIGTERM, once an
 * npm that started this process has ended.
 */
export function onEachSignal(act: (signal: NodeJS.Signals) => void): void {
  for (const signal of ENDING_SIGNALS) process.on(signal, act);
  endWithNpm(endBySignal);
}

/** On Windows, a process cannot send itself a signal that it handles. */
export function endBySignal(): void {
  process.emit('SIGTERM', 'SIGTERM');
}

/** On the first signal to end, calls `stop`, awaits it, and exits. */
export function onSignals(
  exitCodeOf: (signal: NodeJS.Signals) => number,
  stop: () => Promise<unknown> | undefined,
): void {
  let isStopping = false;
  onEachSignal(async (signal) => {
    // A second signal must not cut short the stop that the first began, which ends soon.
    if (isStopping) return;
    isStopping = true;
    await stop();
    process.exit(exitCodeOf(signal));
  });
}

/**
 * Runs a task that a signal to end aborts; the process exits once it has settled. Resolves to
 * undefined if the task rejects after a signal.
 */
export function untilInterrupted<Result>(
  start: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const interruption = new AbortController();
  let running: Promise<Result | undefined> | undefined;
  // Before the task starts, because a signal may come as soon as it prints anything.
  onSignals(codeOfSignal, () => {
    interruption.abort();
    return running;
  });
  running = start(interruption.signal).catch((error: unknown) => {
    if (interruption.signal.aborted) return undefined;
    throw error;
  });
  return running;
}
