import { readdirSync, readFileSync } from 'node:fs';

/** How many of these the kernel counts in a second; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
}

/** The process and what it has started, with the CPU time that each has used. Linux only. */
export function processesBelow(pid: number): readonly Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);
  const found = all.filter((one) => one.pid === pid);
  // It grows while it is read: children of children are found, too.
  for (const { pid: parent } of found) found.push(...all.filter((one) => one.parent === parent));
  return found;
}

function readProcess(pid: string): Process[] {
  try {
    // The name, in parentheses, may have spaces.
    const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ').map(Number);
    const [, parent = 0] = fields;
    const [userTicks = 0, systemTicks = 0] = fields.slice(11, 13);
    const cpuSeconds = (userTicks + systemTicks) / TICKS_PER_SECOND;
    return [{ pid: Number(pid), parent, cpuSeconds }];
  } catch {
    return [];
  }
}
