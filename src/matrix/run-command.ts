import { type ChildProcess, spawn } from 'node:child_process';

/** The environment variables that give a command the URL of the mock, and the token to call it with. */
export const URL_VARIABLE = 'USAGE_BILLING_MOCK_URL';
export const TOKEN_VARIABLE = 'USAGE_BILLING_MOCK_TOKEN';

/** A command, and what it is run with. */
export interface CommandRun {
  readonly command: readonly string[];
  readonly url: string;
  readonly token: string;
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
const IS_WINDOWS = process.platform === 'win32';

/** Runs the command to its end, with all it started. Rejects if it cannot be started. */
export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  run.signal.throwIfAborted();
  const [file = '', ...args] = run.command;
  const startedAt = performance.now();
  const child = spawn(file, args, {
    env: { ...process.env, [URL_VARIABLE]: run.url, [TOKEN_VARIABLE]: run.token },
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
    // What it left running would keep the streams open, and disturb the next run.
    child.once('exit', stop);
    child.once('close', (exitCode) => {
      const durationMs = Math.round(performance.now() - startedAt);
      resolve({ exitCode, hasTimedOut, durationMs, output });
    });
  }).finally(() => {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', stop);
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (IS_WINDOWS) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}
