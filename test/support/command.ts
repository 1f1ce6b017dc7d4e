import { type Program, startProgram } from './programs.js';

/** A running or ended command. */
export interface Command extends Program {
  /** Waits for the readiness line and returns the URL in it. */
  ready(): Promise<string>;
}

/** Runs the built command with these arguments and environment variables. */
export function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  program = 'dist/cli.cjs',
): Command {
  return commandOf(process.execPath, [program, ...args], env);
}

/** Runs a line of shell, and then the built command in its place. */
export function runCommandAfter(
  preparation: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  [shell, ...shellArgs]: readonly [string, ...string[]] = ['sh'],
): Command {
  const script = `${preparation} && exec "$0" dist/cli.cjs "$@"`;
  return commandOf(shell, [...shellArgs, '-c', script, process.execPath, ...args], env);
}

function commandOf(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Command {
  const program = startProgram(file, args, { env: { PATH: process.env.PATH, ...env } });
  return {
    ...program,
    ready: async () => {
      await program.printed('\n');
      return program.stdout().trim().split(' ').at(-1) ?? '';
    },
  };
}

/** Returns a function that starts the command on a free port, with these arguments first. */
export function useCommands(...common: readonly string[]) {
  return async (
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
    run: (args: readonly string[], env: NodeJS.ProcessEnv) => Command = runCommand,
  ) => {
    const command = run(['--port', '0', ...common, ...args], env);
    return { command, url: await command.ready() };
  };
}
