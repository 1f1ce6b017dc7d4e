import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EXAMPLE_TOKEN } from '../../core/stubs/issued-tokens.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { variableOf } from '../../host/options/option-table.js';
import { createMock } from '../../host/server/mock-server.js';
import { descendantsOf } from '../../host/server/process/other-processes.js';
import { beginRun } from '../../host/server/process/run-environment.js';
import { codeOfSignal, EXIT, fail, onEachSignal, tell } from '../../host/terminal/exit.js';
import { redactionOfRun } from '../../host/terminal/redact-run.js';
import {
  commandAndArguments,
  variablesOf,
  whyNotStarted,
} from '../../host/terminal/run-command.js';
import { parseCoverage } from '../../mock/coverage/coverage.js';
import { callsIn } from '../../mock/coverage/rows.js';
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
  const program = commandAndArguments(command);
  // The same for mocks that the command starts: they may write to one coverage file.
  beginRun(randomUUID());
  const mock = await createMock({
    ...options,
    // Declared, so that it is accepted even if unknown tokens are rejected.
    accounts: { ...accounts, [EXAMPLE_TOKEN]: {} },
  });
  const { server } = mock;
  const url = await server.start().catch(({ message }: Error) => fail(EXIT.noPort, message));
  const folder = temporaryFolder();
  // Where mocks that the command starts write which requests they received.
  const file = options.coverage ?? (folder && join(folder, 'coverage.jsonl'));
  const coverage = file && resolve(file);
  // What earlier commands of the run have written.
  const before = textOf(coverage);
  const { exitCode, hasFailed } = await run(program, {
    ...variablesOf({ url, token: EXAMPLE_TOKEN }),
    [variableOf('controlToken')]: server.controlToken,
    ...(coverage && { [variableOf('coverage')]: coverage }),
    [variableOf('endWith')]: String(process.pid),
  });
  process.exitCode = exitCode;
  await attempt('tell what was sent', async () => {
    // Requests may have the values of variables such as API_KEY.
    const { redact } = redactionOfRun(command, process.env);
    const countOthers = () => {
      const own = options.coverage === undefined ? 0 : callsIn(server.coverage());
      return callsInText(textOf(coverage)) - callsInText(before) - own;
    };
    process.stderr.write(redact(whatWasSent(mock, hasFailed, countOthers)));
  });
  await attempt('stop the mock', server.stop);
  await attempt('remove its temporary folder', async () => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
}

/** Undefined where nothing can be written, as in a read-only container. */
function temporaryFolder(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'usage-billing-mock-'));
  } catch {
    return undefined;
  }
}

function textOf(coverage: string | undefined): string {
  return coverage !== undefined && existsSync(coverage) ? readFileSync(coverage, 'utf8') : '';
}

function callsInText(coverage: string): number {
  return coverage === '' ? 0 : callsIn(parseCoverage(coverage));
}

/** Says in a line what fails, because the exit code is the command's. */
async function attempt(what: string, act: () => Promise<void>): Promise<void> {
  await act().catch(({ message }: Error) => tell('error', `Cannot ${what}: ${message}`));
}

interface End {
  readonly exitCode: number;
  /** False if it was not started, or if Ctrl+C ended it. */
  readonly hasFailed: boolean;
}

/** The exit codes of shells for a command that cannot be started. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

function run(
  { file, args, shell }: ReturnType<typeof commandAndArguments>,
  variables: NodeJS.ProcessEnv,
): Promise<End> {
  let isInterrupted = false;
  // Before the command starts: a signal between the two would end this process alone.
  onEachSignal((signal) => {
    isInterrupted ||= signal === 'SIGINT';
    // A terminal has sent Ctrl+C to all of them.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) passOn(signal, child);
  });
  const env = { ...process.env, ...variables };
  const child = spawn(file, args, { env, stdio: 'inherit', shell });
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      tell('fatal', whyNotStarted(error));
      const exitCode = error.code === 'ENOENT' ? NOT_FOUND : NOT_RUNNABLE;
      resolve({ exitCode, hasFailed: false });
    });
    child.once('exit', (code, signal) => {
      const exitCode = code ?? codeOfSignal(signal ?? 'SIGKILL');
      resolve({ exitCode, hasFailed: exitCode !== 0 && !isInterrupted });
    });
  });
}

/** To the command and all it has started, as a terminal does: shells and npm keep some signals. */
function passOn(signal: NodeJS.Signals, child: ChildProcess): void {
  const started = child.pid === undefined ? [] : descendantsOf(child.pid);
  // False if it has ended: then these are not to be touched.
  if (!child.kill(signal)) return;
  for (const pid of started) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended already.
    }
  }
}
