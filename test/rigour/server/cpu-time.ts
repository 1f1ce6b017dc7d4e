import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's clock ticks in a second; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The CPU time that a process has used, in seconds; NaN except on Linux. */
export function cpuSeconds(pid: number | string | undefined): number {
  const [userTicks, systemTicks] = fieldsOf(pid).slice(11, 13);
  return (Number(userTicks) + Number(systemTicks)) / TICKS_PER_SECOND;
}

/** The ids of the processes that a process has started, directly or not. Linux only. */
export function processesBelow(pid: number): readonly number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = all.map((one) => [Number(one), Number(fieldsOf(one)[1])] as const);
  const found = [pid];
  // The list grows while it is read, so that grandchildren are found, too.
  for (const one of found)
    found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child));
  return found.slice(1);
}

/** The fields of `/proc/PID/stat` from the third on; none if there is no such process. */
function fieldsOf(pid: number | string | undefined): string[] {
  try {
    // The name, in parentheses, may have spaces.
    return /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}
