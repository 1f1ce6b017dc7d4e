import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { EXAMPLE_TOKEN } from '../../core/stubs/issued-tokens.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { variableOf } from '../../host/options/option-table.js';
import { createMock } from '../../host/server/mock-server.js';
import { EXIT, fail, tell } from '../../host/terminal/exit.js';
import { commandAndArguments, variablesOf } from '../../tools/matrix/run-command.js';
import { whatWasSent } from './what-was-sent.js';

/**
 * Runs a command with a mock on a free port, whose address, tokens and process the command finds in
 * its environment. Then tells what failed tests have sent, and exits as the command has, whatever
 * fails after that.
 */
export async function runExecCommand(
  { accounts, ...options }: MockServerOptions,
  command: readonly [string, ...string[]],
): Promise<void> {
  const mock = await createMock({
    ...options,
    // Declared, so that it is accepted even if unknown tokens are rejected.
    accounts: { ...accounts, [EXAMPLE_TOKEN]: {} },
  });
  const { server } = mock;
  const url = await server.start().catch(({ message }: Error) => fail(EXIT.noPort, message));
  const exitCode = await run(command, {
    ...variablesOf({ url, token: EXAMPLE_TOKEN }),
    [variableOf('controlToken')]: server.controlToken,
    [variableOf('endWith')]: String(process.pid),
  });
  process.exitCode = exitCode;
  await attempt('tell what was sent', async () => {
    process.stderr.write(whatWasSent(mock, exitCode !== 0));
  });
  await attempt('stop the mock', server.stop);
}

/** Says in a line what fails, because the exit code is the command's. */
async function attempt(what: string, act: () => Promise<void>): Promise<void> {
  await act().catch(({ message }: Error) => tell('error', `Cannot ${what}: ${message}`));
}

function run(command: readonly [string, ...string[]], env: NodeJS.ProcessEnv): Promise<number> {
  const { file, args, shell } = commandAndArguments(command);
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: 'inherit', shell });
  const undo = passOnSignals(child);
  return new Promise<number>((resolve) => {
    child.once('error', ({ message }) =>
      fail(EXIT.wrongUse, `${file} cannot be started: ${message}.`),
    );
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
    );
  }).finally(undo);
}

/** The command decides what a signal means. A terminal sends Ctrl+C to both. */
function passOnSignals(child: ChildProcess): () => void {
  const passOn = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, passOn);
  return () => {
    for (const signal of signals) process.off(signal, passOn);
  };
}
