import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The environment variables that give a command the URL of the mock, the token to call it with, and
 * another value in each run, for caches of results that know which variables a test reads.
 */
export const URL_VARIABLE = 'USAGE_BILLING_MOCK_URL';
export const TOKEN_VARIABLE = 'USAGE_BILLING_MOCK_TOKEN';
export const RUN_VARIABLE = 'USAGE_BILLING_MOCK_RUN';

/** A command, and what it is run with. */
export interface CommandRun {
  readonly command: readonly string[];
  readonly url: string;
  readonly token: string;
  /** Takes the secrets out of the output. */
  readonly redact: (output: string) => string;
  /** Further variables. */
  readonly env: NodeJS.ProcessEnv;
  /** The command is ended after this time; there is no limit if it is left out. */
  readonly timeoutMs?: number | undefined;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** How a command ended. */
export interface CommandEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly hasTimedOut: boolean;
  readonly durationMs: number;
  /** At most the last two megabytes of its standard output and error, as they came, without secrets. */
  readonly output: string;
}

const LONGEST_OUTPUT = 2 ** 20;
/** How long to wait for the rest of the output. */
const DRAIN_MS = 500;
const IS_WINDOWS = process.platform === 'win32';

/**
 * Runs the command to its end, and ends what it has left running, but for daemons: what runs in a
 * session of its own. Where it is stopped early, ends these too, such as browsers. Rejects if it cannot
 * be started.
 */
export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  run.signal.throwIfAborted();
  const [file = '', ...args] = IS_WINDOWS ? [lineForShell(run.command)] : run.command;
  const startedAt = performance.now();
  const child = spawn(file, args, {
    env: {
      ...process.env,
      [URL_VARIABLE]: run.url,
      [TOKEN_VARIABLE]: run.token,
      [RUN_VARIABLE]: randomUUID(),
      ...run.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that what it started can be ended with it; npm is a script on Windows.
    detached: !IS_WINDOWS,
    shell: IS_WINDOWS,
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
      // What it left running would disturb the next run.
      endGroup(child.pid);
      // A daemon has left the group, and keeps the streams open.
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

/** The command in one line for the shell of Windows, to which `spawn` would give arguments unquoted. */
function lineForShell(command: readonly string[]): string {
  const quoted = (word: string) =>
    /^[\w@=+:,.\\/-]+$/.test(word)
      ? word
      : `"${word.replaceAll('"', '""').replace(/(?<!\\)\\+$/, '$&$&')}"`;
  return command.map(quoted).join(' ');
}

/** Its last lines, without the rest of one and a value whose name was in that. */
function endOf(output: string): string {
  const [, , ...lines] = output.slice(-LONGEST_OUTPUT).split('\n');
  return lines.join('\n');
}

/** Ends a command that still runs, and all that it has started, in groups of their own too. */
function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  const started = [pid];
  const parents = IS_WINDOWS ? [] : parentsOfAll();
  // A list that is gone through grows at its end.
  for (const parent of started) {
    started.push(...parents.filter(([, its]) => its === parent).map(([child]) => child));
  }
  for (const one of started) {
    endGroup(one);
    end(one);
  }
}

/** Ends the processes of the group that a process has led. */
function endGroup(leader = 0): void {
  if (IS_WINDOWS) spawnSync('taskkill', ['/pid', String(leader), '/t', '/f']);
  else if (leader > 0) end(-leader);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

/** Every process that runs, with its parent. */
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
