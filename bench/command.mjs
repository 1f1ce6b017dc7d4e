// Starts the built command and looks at it from outside.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Starts the command with these arguments; resolves when it can be called. */
export async function startCommand(...args) {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['dist/cli.mjs', '--port', '0', '--log-level', 'silent', ...args],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`The command ended with ${child.exitCode}.`);
  return {
    url: String(line).split(' ').at(-1),
    readyAfterMs: performance.now() - startedAt,
    /** Its resident set in MB, as the system counts it. */
    residentMb: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

export function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}

/** A line of the report: what, and the figure with its unit. */
export function report(what, figure) {
  console.log(`${what.padEnd(52)} ${figure}`);
}
