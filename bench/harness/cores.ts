// Pins the load generator and the servers to different cores, if there are two and taskset exists.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ROOT } from './targets.js';

const run = promisify(execFile);

const PIN = 'taskset';

/**
 * Moves this process, the load generator, to one core. Returns the commands that start a server on
 * another core (`prefix`), and a process that may use all cores (`all`).
 */
export function takeCores() {
  const allowed = allowedCores();
  const [own, other] = allowed;
  if (other === undefined) return { prefix: [], all: [], note: 'not pinned: one core only' };
  if (spawnSync(PIN, ['--version']).error) {
    return { prefix: [], all: [], note: 'not pinned: there is no taskset' };
  }
  execFileSync(PIN, ['-a', '-p', '-c', String(own), String(process.pid)], {
    stdio: 'ignore',
  });
  return {
    prefix: [PIN, '-c', String(other)],
    all: [PIN, '-c', allowed.join(',')],
    note: `load generator on core ${own}, servers on core ${other}`,
  };
}

function allowedCores() {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status) as RegExpExecArray;
    return list.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
    });
  } catch {
    return [];
  }
}

/** Returns a function that runs node on the servers' core. */
export function nodeOn({ prefix }: Cores) {
  return (args: string[], variables: Record<string, string> = {}) => {
    const [file = process.execPath, ...rest] = [...prefix, process.execPath, ...args];
    const options = { cwd: ROOT, env: { ...process.env, ...variables }, maxBuffer: 2 ** 26 };
    return run(file, rest, options);
  };
}

export type Cores = ReturnType<typeof takeCores>;
