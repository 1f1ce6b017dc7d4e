import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The command as it runs, or as it ended. */
export interface Command {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Waits for the readiness line and returns the URL in it. */
  ready(): Promise<string>;
  /** Waits until standard output has this text. */
  printed(text: string): Promise<void>;
  /** Waits until standard error has this text. */
  logged(text: string): Promise<void>;
  /** Waits for the end and returns the exit code. */
  ended(): Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs the built command with these arguments and environment variables. */
export function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  program = 'dist/cli.cjs',
): Command {
  return runProgram(process.execPath, [program, ...args], env);
}

/** Runs the built command in place of a shell that has prepared something for it. */
export function runCommandAfter(
  preparation: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  [shell, ...shellArgs]: readonly [string, ...string[]] = ['sh'],
): Command {
  const script = `${preparation} && exec "$0" dist/cli.cjs "$@"`;
  return runProgram(shell, [...shellArgs, '-c', script, process.execPath, ...args], env);
}

function runProgram(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Command {
  const child = spawn(file, args, { env: { PATH: process.env.PATH, ...env } });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  let hasEnded = false;
  const closed = once(child, 'close') as Promise<[number | null]>;
  child.once('close', () => {
    hasEnded = true;
  });
  async function written(stream: NodeJS.ReadableStream, read: () => string, text: string) {
    while (!read().includes(text)) {
      await Promise.race([once(stream, 'data'), closed]);
      if (hasEnded) throw new Error(`The command ended: ${stderr()}`);
    }
  }

  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    ready: async () => {
      await written(child.stdout, stdout, '\n');
      return stdout().trim().split(' ').at(-1) ?? '';
    },
    printed: (text) => written(child.stdout, stdout, text),
    logged: (text) => written(child.stderr, stderr, text),
    ended: async () => (await closed)[0],
    kill: (signal) => child.kill(signal),
  };
}

function collect(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

/** Makes a function that starts the command on a free port; what it started ends after each test. */
export function useCommands(...common: readonly string[]) {
  const running: Command[] = [];
  afterEach(async () => {
    for (const command of running.splice(0)) {
      command.kill('SIGTERM');
      await command.ended();
    }
  });
  return async (
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
    run: (args: readonly string[], env: NodeJS.ProcessEnv) => Command = runCommand,
  ) => {
    const command = run(['--port', '0', ...common, ...args], env);
    running.push(command);
    return { command, url: await command.ready() };
  };
}
