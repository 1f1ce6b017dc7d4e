// Runs commands without a network, if the system lets this user do so.
import { spawnSync } from 'node:child_process';

const CUT = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** Whether that is possible: on Linux with unshare and ip, if users may create namespaces. */
export const canCutNetwork = spawnSync('unshare', [...CUT, 'true']).status === 0;

/**
 * The program and arguments that run a command without a network; unchanged if that is impossible.
 *
 * @param {readonly string[]} command
 * @returns {[file: string, args: string[]]}
 */
export function withoutNetwork([file = '', ...args]) {
  return canCutNetwork ? ['unshare', [...CUT, file, ...args]] : [file, args];
}
