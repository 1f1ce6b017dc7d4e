import { inspect } from 'node:util';
import { createSourceNames } from '../server/log.js';
import { variableValue } from './flags-and-variables.js';

/** The command's exit codes. Node itself exits with 1 after an uncaught error. */
export const EXIT = {
  failed: 1,
  somethingDiffers: 1,
  wrongUse: 2,
  noPort: 3,
  couldNotLook: 4,
} as const;

/** Ends the command with a sentence on standard error. */
export function fail(exitCode: number, sentence: string): never {
  tell('fatal', sentence);
  process.exit(exitCode);
}

/** Ends the command with an unexpected error, which is a bug in the mock, and its stack. */
export function failUnexpectedly(error: unknown): never {
  fail(EXIT.failed, createSourceNames()(inspect(error)));
}

/** Writes text to standard error, or a line of JSON with these members if the log is JSON. */
export function tell(
  level: 'info' | 'fatal',
  msg: string,
  { members = {}, text = `usage-billing-mock: ${msg}\n` } = {},
): void {
  const line = { level, time: new Date().toISOString(), ...members, msg };
  process.stderr.write(writesJson() ? `${JSON.stringify(line)}\n` : text);
}

const LOG_FORMAT = '--log-format';

/**
 * True if standard error is JSON. Must be known before the flags are parsed, to report a wrong one.
 */
function writesJson(): boolean {
  const args = process.argv.slice(2);
  const values = args.flatMap((arg, nth) => {
    if (arg === LOG_FORMAT) return [args[nth + 1]];
    return arg.startsWith(`${LOG_FORMAT}=`) ? [arg.slice(LOG_FORMAT.length + 1)] : [];
  });
  return (values.at(-1) ?? variableValue('logFormat')) === 'json';
}

/** The exit code of a run that a signal ended. */
export function codeOfSignal(signal: NodeJS.Signals): number {
  return signal === 'SIGINT' ? 130 : 143;
}

/** Calls `stop` once when the command is interrupted or terminated, and exits when it has settled. */
export function onSignals(
  exitCodeOf: (signal: NodeJS.Signals) => number,
  stop: () => Promise<unknown> | undefined,
): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      // A second signal does not interrupt what the first began, which ends soon.
      if (isStopping) return;
      isStopping = true;
      await stop();
      process.exit(exitCodeOf(signal));
    });
  }
}

/** Runs a task that signals abort: after a signal, the process exits once the task has settled. */
export function untilInterrupted<Result>(
  start: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const interruption = new AbortController();
  let running: Promise<Result | undefined> | undefined;
  // First, because a signal may come as soon as anything is printed.
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
