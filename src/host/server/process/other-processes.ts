import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Whether another process with the id is running; a zombie is not: it has ended, unnoticed. */
export function isAnotherProcess(pid: number): boolean {
  // Successive mocks in a container have the same process id.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return statOf(pid)?.state !== 'Z';
}

/** A process above this one, and its command line. */
export interface Ancestor {
  readonly pid: number;
  readonly command: string;
}

/** The processes above this one, its parent first; none on Windows. */
export function* ancestors(): Iterable<Ancestor> {
  let seen = lookAt(process.ppid);
  while (seen) {
    yield seen;
    seen = lookAt(seen.parent);
  }
}

/**
 * The processes that a process has started, and those that they have; none whose parent has ended,
 * and none on Windows.
 */
export function descendantsOf(pid: number): readonly number[] {
  const found = [pid];
  const parents = process.platform === 'win32' ? [] : parentsOfAll();
  // The list grows during the iteration.
  for (const parent of found) {
    found.push(...parents.filter(([, its]) => its === parent).map(([child]) => child));
  }
  return found.slice(1);
}

// Linux shows processes as files, and a container may lack ps.
const IS_LINUX = process.platform === 'linux';

function parentsOfAll(): readonly (readonly [pid: number, parent: number])[] {
  if (!IS_LINUX) return ps('-A', '-o', 'pid=,ppid=').map(([pid, parent]) => [pid, Number(parent)]);
  return readdirSync('/proc').flatMap((name) => {
    const stat = statOf(Number(name));
    return stat ? [[Number(name), stat.parent] as const] : [];
  });
}

function lookAt(pid: number): (Ancestor & { readonly parent: number }) | undefined {
  if (process.platform === 'win32' || pid === 0) return undefined;
  if (!IS_LINUX) {
    const [[parent, command] = [0, '']] = ps('-p', String(pid), '-o', 'ppid=,command=');
    return command === '' ? undefined : { pid, parent, command };
  }
  const stat = statOf(pid);
  const command = textOf(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
  return stat && command !== undefined ? { pid, parent: stat.parent, command } : undefined;
}

/** Undefined if there is no such process, or the system shows none as files. */
function statOf(pid: number) {
  const text = textOf(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name before it, in parentheses, may have any character.
  const [state = '', parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent) };
}

/** The lines of `ps`: the number at the beginning of each, and the rest. */
function ps(...args: readonly string[]): (readonly [number, string])[] {
  const { stdout } = spawnSync('ps', args, { encoding: 'utf8' });
  return String(stdout)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [number = '', ...rest] = line.trim().split(' ');
      return [Number(number), rest.join(' ').trim()];
    });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
