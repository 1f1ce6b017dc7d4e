import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What the command's process holds after garbage collection. */
export interface Held {
  readonly rss: number;
  readonly heapUsed: number;
  /** Buffers outside the heap. */
  readonly external: number;
  /** What keeps the process alive, by kind, such as `TCPSocketWrap`. */
  readonly resources: readonly string[];
  /** Open files and sockets; undefined on systems that do not list them. */
  readonly files?: number;
}

/** The built command in its own process. */
export interface RunningCommand {
  readonly url: string;
  /** What it has written to standard error since it was ready, or since the log was cleared. */
  readonly log: () => string;
  clearLog(): void;
  readonly hasEnded: () => boolean;
  /** Collects garbage in the process, and returns what it holds. */
  measure(): Promise<Held>;
  stop(): Promise<void>;
}

/** Longer than stopping takes, saving included. */
const MAX_STOP_MS = 15_000;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the built command on a free port; it ends with this process. */
export async function startCommand(
  args: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<RunningCommand> {
  const probe = [...nodeFlags, '--expose-gc', '--require', './test/rigour/server/probe.cjs'];
  const command = ['dist/cli.cjs', '--port', '0', '--log-level', 'error', ...args];
  const child = spawn(process.execPath, [...probe, ...command], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  let hasEnded = false;
  const ended = once(child, 'exit').then(() => {
    hasEnded = true;
    running.delete(child);
  });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    // A mock that fails at every request must not fill this process's memory.
    log = (log + text).slice(-10_000_000);
  });
  let ready = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    ready += text;
  });
  while (!ready.includes('\n')) {
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
    if (hasEnded) throw new Error(`The command ended before it was ready:\n${log}`);
  }
  log = '';

  return {
    url: ready.trim().split(' ').at(-1) ?? '',
    log: () => log,
    clearLog() {
      log = '';
    },
    hasEnded: () => hasEnded,
    async measure() {
      if (hasEnded) throw new Error(`The command has ended:\n${log}`);
      child.send('measure');
      const [held] = (await Promise.race([once(child, 'message'), ended])) ?? [];
      if (!held) throw new Error(`The command has ended:\n${log}`);
      return held as Held;
    },
    async stop() {
      child.kill('SIGTERM');
      // A command that is busy for minutes does not notice signals.
      const timer = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** What the process holds now but did not hold before, by kind. */
export function leftOver(before: Held, after: Held): string[] {
  const known = [...before.resources];
  return after.resources.filter((kind) => {
    const at = known.indexOf(kind);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}
