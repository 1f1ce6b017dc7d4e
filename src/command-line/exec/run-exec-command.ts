import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { EXAMPLE_TOKEN } from '../../core/stubs/issued-tokens.js';
import type { components } from '../../generated/control.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { variableOf } from '../../host/options/option-table.js';
import type { MockServer } from '../../host/server/mock-interface.js';
import { createMockServer } from '../../host/server/mock-server.js';
import { EXIT, fail } from '../../host/terminal/exit.js';
import { printable } from '../../host/terminal/wrap-text.js';
import { describeJournal } from '../../kits/account-of-test/describe-requests.js';
import { connectMockServer } from '../../mock/client/connect-mock-server.js';
import { commandAndArguments, variablesOf } from '../../tools/matrix/run-command.js';

/**
 * Runs a command with a mock on a free port, whose address, tokens and process the command finds in
 * its environment. Then tells what failed tests have sent, and exits as the command has.
 */
export async function runExecCommand(
  { accounts, ...options }: MockServerOptions,
  command: readonly [string, ...string[]],
): Promise<void> {
  const server = await createMockServer({
    ...options,
    // Declared, so that it is accepted even if unknown tokens are rejected.
    accounts: { ...accounts, [EXAMPLE_TOKEN]: {} },
  });
  const url = await server.start().catch(({ message }: Error) => fail(EXIT.noPort, message));
  try {
    process.exitCode = await run(command, {
      ...variablesOf({ url, token: EXAMPLE_TOKEN }),
      [variableOf('controlToken')]: server.controlToken,
      [variableOf('endWith')]: String(process.pid),
    });
    process.stderr.write(await storiesOf(server));
  } finally {
    await server.stop();
  }
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

/** What the failed tests have sent, as the helpers and kits have told the mock of them. */
async function storiesOf({ url, controlToken, fetch }: MockServer): Promise<string> {
  const headers = controlToken === undefined ? {} : { 'X-Control-Token': controlToken };
  const response = await fetch('/__control/tests?limit=1000', { headers });
  const { tests } = (await response.json()) as { tests: components['schemas']['ListedTest'][] };
  const remote = connectMockServer({ url, controlToken });
  const stories: string[] = [];
  for (const { outcome, account, file = '', title, message = '' } of tests) {
    if (outcome !== 'failed' || account === undefined) continue;
    const requests = await describeJournal(remote.account(account).journal);
    const heading = `usage-billing-mock: what ${[file, title].filter(Boolean).join(' › ')} sent, latest request first`;
    const lines = [heading, ...message.split('\n').filter(Boolean)].map(printable);
    stories.push(`\n${lines.join('\n')}\n${requests}\n`);
  }
  return stories.join('');
}
