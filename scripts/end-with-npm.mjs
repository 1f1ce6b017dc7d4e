// Ends the process that imports it soon after the npm that runs it, however that ends: npm passes only
// SIGTERM on, and only to its shell, so that `tsx watch` would go on.
import { execFileSync } from 'node:child_process';

const { pid, ppid: shell } = process;

if (process.platform !== 'win32') {
  const npm = Number(execFileSync('ps', ['-o', 'ppid=', '-p', `${shell}`]));
  setInterval(() => {
    if (process.ppid !== shell || !isRunning(npm)) process.kill(pid, 'SIGTERM');
  }, 200).unref();
}

/** @param {number} other */
function isRunning(other) {
  try {
    return process.kill(other, 0);
  } catch (error) {
    // A process of another user.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
