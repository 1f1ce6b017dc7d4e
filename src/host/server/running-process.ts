/** Whether another process with the id is running. */
export function isAnotherProcess(pid: number): boolean {
  // Successive mocks in a container have the same process id.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
