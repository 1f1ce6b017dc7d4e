import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { COMMAND_VARIABLES } from '../../host/server/run-environment.js';

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

const LONGEST_OUTPUT = 2 ** 20;
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
      if (output.length > 2 * LONGEST_OUTPUT) output = endOf(output);
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
  const { url: ofUrl, token: ofToken, run } = COMMAND_VARIABLES;
  return { [ofUrl]: url, [ofToken]: token, [run]: randomUUID() };
}

/** What to pass to `spawn`. On Windows, npm is a script, which only a shell runs. */
export function commandAndArguments(command: readonly string[]) {
  const [file = '', ...args] = IS_WINDOWS ? [lineForShell(command)] : command;
  return { file, args, shell: IS_WINDOWS };
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
  const [, , ...lines] = output.slice(-LONGEST_OUTPUT).split('\n');
  return lines.join('\n');
}

/**
 * Kills a running command, its process group, and descendants in other groups; finds none of these
 * whose parent has exited.
 */
function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  const started = [pid];
  const parents = IS_WINDOWS ? [] : parentsOfAll();
  // The list grows during the iteration.
  for (const parent of started) {
    started.push(...parents.filter(([, its]) => its === parent).map(([child]) => child));
  }
  for (const one of started) {
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

function parentsOfAll(): readonly (readonly [pid: number, parent: number])[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    return String(stdout)
      .split('\n')
      .map((line) => {
        const [pid = 0, parent = 0] = line.trim().split(/ +/).map(Number);
        return [pid, parent] as const;
      });
  }
  // A container may lack ps.
  return readdirSync('/proc').flatMap((name) => {
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return [[Number(name), Number(parent)] as const];
    } catch {
      return [];
    }
  });
}
