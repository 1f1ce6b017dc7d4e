import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as passed } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A running or ended program. */
export interface Program {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** What it has written to both, in order. */
  readonly output: () => string;
  /** Waits until standard output has this text. */
  printed(text: string): Promise<void>;
  /** Waits until standard error has this text. */
  logged(text: string): Promise<void>;
  /** Waits until it and its output have ended, and returns the exit code. */
  ended(): Promise<number | null>;
  /** Sends a signal only to the program, not to processes that it has started. */
  kill(signal: NodeJS.Signals): void;
}

/** How long a program may take to end by itself before it is killed. */
const MAX_MS_TO_END = 10_000;

/** Programs that may have running processes. */
const running = new Set<Program>();

/**
 * Starts a program as the leader of a process group. The whole group is ended after the test that
 * started it or, outside a test, after all tests of the file.
 */
export function startProgram(
  file: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Program {
  const child = spawn(file, args, { ...options, detached: true });
  const { pid = 0 } = child;
  const written = { stdout: '', stderr: '', both: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      written.both += text;
    });
  }
  let hasEnded = false;
  const closed = once(child, 'close').finally(() => {
    hasEnded = true;
    if (!signalGroup(pid, 0)) running.delete(program);
  }) as Promise<[number | null]>;
  async function has(name: 'stdout' | 'stderr', text: string): Promise<void> {
    while (!written[name].includes(text)) {
      await Promise.race([once(child[name] as NodeJS.ReadableStream, 'data'), closed]);
      if (hasEnded && !written[name].includes(text)) {
        throw new Error(`The command ended: ${written.both}`);
      }
    }
  }

  const program: Program = {
    pid,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    output: () => written.both,
    printed: (text) => has('stdout', text),
    logged: (text) => has('stderr', text),
    ended: async () => (await closed)[0],
    kill: (signal) => child.kill(signal),
  };
  running.add(program);
  killWithThisProcess(pid);
  return program;
}

/** Runs a program to its end; rejects with its output unless it exits with 0. */
export async function run(file: string, args: readonly string[], options: SpawnOptions = {}) {
  const program = startProgram(file, args, options);
  const code = await program.ended();
  const end = { code, stdout: program.stdout(), stderr: program.stderr() };
  if (code === 0) return end;
  throw Object.assign(new Error(`${file} ended with ${code}:\n${program.output()}`), end);
}

/** Ends a program and all processes that it has started, and waits until none is left. */
export async function endProgram(program: Program): Promise<void> {
  const { pid } = program;
  signalGroup(pid, 'SIGTERM');
  const killing = setTimeout(signalGroup, MAX_MS_TO_END, pid, 'SIGKILL');
  await program.ended().catch(() => undefined);
  clearTimeout(killing);
  signalGroup(pid, 'SIGKILL');
  await groupEnded(pid);
  running.delete(program);
}

/** Waits until no process of a group is left. */
export async function groupEnded(group: number): Promise<void> {
  // A zombie, which nobody waits for, stays in its group.
  while (signalGroup(group, 0) && (await processesOf(group)).length > 0) await passed(20);
}

/** The processes of a group that have not ended. */
async function processesOf(group: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=,stat=']);
  return stdout.split('\n').filter((line) => new RegExp(`^ *${group} +[^Z]`).test(line));
}

/** Signals a group; false if it has ended, or never existed because its program did not start. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return group > 0 && process.kill(-group, signal);
  } catch {
    return false;
  }
}

let guard: ChildProcess | undefined;

/** Ends the group if this process is killed, as by Ctrl+C; nothing else would. */
function killWithThisProcess(group: number): void {
  if (guard === undefined) {
    const script = 'while read -r group; do groups="$groups -$group"; done; kill -9 $groups';
    guard = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    guard.unref();
    (guard.stdin as Socket).unref();
  }
  if (group > 0) guard.stdin?.write(`${group}\n`);
}

/** Ends every running program except these. */
export async function endPrograms(others: ReadonlySet<Program> = new Set()): Promise<void> {
  await Promise.all([...running].filter((one) => !others.has(one)).map(endProgram));
}

// Outside tests, as in test/rigour, whoever starts a program must end it.
if ('afterAll' in globalThis) {
  let startedBefore: ReadonlySet<Program> = new Set();
  beforeEach(() => {
    startedBefore = new Set(running);
  });
  afterEach(() => endPrograms(startedBefore));
  afterAll(async () => {
    await endPrograms();
    guard?.kill('SIGKILL');
  });
}
