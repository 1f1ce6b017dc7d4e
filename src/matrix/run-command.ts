import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** The environment variables that give a command the URL of the mock, and the token to call it with. */
export const URL_VARIABLE = 'USAGE_BILLING_MOCK_URL';
export const TOKEN_VARIABLE = 'USAGE_BILLING_MOCK_TOKEN';

/** A command, and what it is run with. */
export interface CommandRun {
  readonly command: readonly string[];
  readonly url: string;
  readonly token: string;
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
  /** The first megabyte of its standard output and error, as they came. */
  readonly output: string;
}

const LONGEST_OUTPUT = 2 ** 20;
/** How long the end of the output may take to arrive. */
const DRAIN_MS = 500;
const IS_WINDOWS = process.platform === 'win32';

/**
 * Runs the command to its end, and ends what it has left running, but for daemons: what runs in a
 * session of its own. Rejects if it cannot be started.
 */
export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  run.signal.throwIfAborted();
  const [file = '', ...args] = run.command;
  const startedAt = performance.now();
  const child = spawn(file, args, {
    env: { ...process.env, [URL_VARIABLE]: run.url, [TOKEN_VARIABLE]: run.token, ...run.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that what it started can be ended with it; npm is a script on Windows.
    detached: !IS_WINDOWS,
    shell: IS_WINDOWS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < LONGEST_OUTPUT) output += text;
    });
  }
  let hasTimedOut = false;
  const stop = () => endGroup(child);
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
      stop();
      // A daemon has left the group, and keeps the streams open.
      const drain = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
      child.once('close', () => {
        clearTimeout(drain);
        resolve({ exitCode, hasTimedOut, durationMs, output });
      });
    });
  }).finally(() => {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', stop);
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (IS_WINDOWS) spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}
