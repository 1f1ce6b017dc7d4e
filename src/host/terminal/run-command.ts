import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { OptionError } from '../../core/errors/option-error.js';
import { descendantsOf } from '../server/process/other-processes.js';
import { COMMAND_VARIABLES } from '../server/process/run-environment.js';

export interface CommandRun {
  readonly command: readonly string[];
  readonly url: string;
  readonly token: string;
  readonly redact: (output: string) => string;
  /** Further environment variables. */
  readonly env: NodeJS.ProcessEnv;
  /** Kills the command after this time; there is no limit if it is left out. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly hasTimedOut: boolean;
  readonly durationMs: number;
  /** The end of its standard output and error, at most 2 ** 21 characters, without secrets. */
  readonly output: string;
}

const MAX_OUTPUT_LENGTH = 2 ** 20;
/** How long to wait for the rest of the output after the command has exited. */
const DRAIN_MS = 500;
const IS_WINDOWS = process.platform === 'win32';

/**
 * Runs the command to its end, and kills what it left running in its process group. If it has to be
 * stopped, also kills its descendants in other groups, such as browsers. Rejects if it cannot be
 * started.
 */
export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  run.signal.throwIfAborted();
  const { file, args, shell } = commandAndArguments(run.command);
  const startedAt = performance.now();
  const child = spawn(file, args, {
    env: {
      ...process.env,
      ...variablesOf(run),
      ...run.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, its children can be killed with it. On Windows, npm is a script.
    detached: !IS_WINDOWS,
    shell,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > 2 * MAX_OUTPUT_LENGTH) output = endOf(output);
    });
  }
  let hasTimedOut = false;
  const stop = () => endTree(child);
  const timer = setTimeout(
    () => {
      hasTimedOut = true;
      stop();
    },
    run.timeoutMs ?? 2 ** 31 - 1,
  );
  run.signal.addEventListener('abort', stop);
  return new Promise<CommandEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode) => {
      const durationMs = Math.round(performance.now() - startedAt);
      // What is still running would disturb the next run.
      endGroup(child.pid);
      // A daemon outside the group may keep the streams open.
      const drain = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
      child.once('close', () => {
        clearTimeout(drain);
        resolve({ exitCode, hasTimedOut, durationMs, output: run.redact(output) });
      });
    });
  }).finally(() => {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', stop);
  });
}

/** The variables that tell a command where its mock is. */
export function variablesOf({ url, token }: Pick<CommandRun, 'url' | 'token'>): NodeJS.ProcessEnv {
  return { [COMMAND_VARIABLES.url]: url, [COMMAND_VARIABLES.token]: token };
}

/**
 * What to pass to `spawn`. On Windows, npm is a script, which only a shell runs. Throws an
 * `OptionError` for an empty command.
 */
export function commandAndArguments(command: readonly string[]) {
  if (!command[0])
    throw new OptionError('The command is empty. Give one after --, such as -- npm test.');
  const [file = '', ...args] = IS_WINDOWS ? [lineForShell(command)] : command;
  return { file, args, shell: IS_WINDOWS };
}

/** Why `spawn` could not start a program. */
export function whyNotStarted({ code, path = '', message }: NodeJS.ErrnoException): string {
  const missing = /[\\/]/.test(path)
    ? 'it does not exist, or the interpreter in its first line does not'
    : 'it is not in the PATH';
  const why = { ENOENT: missing, EACCES: 'it is no program, or this user may not run it' };
  return `Cannot run '${path}': ${why[code as keyof typeof why] ?? message}.`;
}

/** Quotes a command for the shell of Windows, to which `spawn` passes arguments unquoted. */
function lineForShell(command: readonly string[]): string {
  const quoted = (word: string) =>
    /^[\w@=+:,.\\/-]+$/.test(word)
      ? word
      : `"${word.replaceAll('"', '""').replace(/(?<!\\)\\+$/, '$&$&')}"`;
  return command.map(quoted).join(' ');
}

/**
 * Drops the first line, which is cut, and the next, which may be the value of a secret that the
 * first line names.
 */
function endOf(output: string): string {
  const [, , ...lines] = output.slice(-MAX_OUTPUT_LENGTH).split('\n');
  return lines.join('\n');
}

/**
 * Kills a running command, its process group, and descendants in other groups; finds none of these
 * whose parent has exited.
 */
function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  for (const one of [pid, ...descendantsOf(pid)]) {
    endGroup(one);
    end(one);
  }
}

/** Kills the process group that a process leads or has led; on Windows, the process's tree. */
function endGroup(leader = 0): void {
  if (IS_WINDOWS) spawnSync('taskkill', ['/pid', String(leader), '/t', '/f']);
  else if (leader > 0) end(-leader);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited already.
  }
}
