// Cuts off a command from everything but this machine, where the system lets this user do so.
import { spawnSync } from 'node:child_process';

const CUT = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** Whether it can be done: on Linux, with unshare and ip, if users may make namespaces. */
export const canCutNetwork = spawnSync('unshare', [...CUT, 'true']).status === 0;

/**
 * The program and its arguments that run a command without a network; itself where that cannot be.
 *
 * @param {readonly string[]} command
 * @returns {[file: string, args: string[]]}
 */
export function withoutNetwork([file = '', ...args]) {
  return canCutNetwork ? ['unshare', [...CUT, file, ...args]] : [file, args];
}
