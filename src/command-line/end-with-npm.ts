const POLL_MS = 200;

/** A script of npm or npx that is the command and nothing else, which the shell of npm waits for. */
const COMMAND_ALONE = /^['"]?usage-billing-mock\b[^&;|\n]*$/;

/**
 * Calls `end` when the shell ends in which `npx` or `npm run` has started the command. npm passes
 * SIGTERM on to that shell alone, which would leave the command behind without a parent.
 */
export function endWithNpm(end: () => void): void {
  if (!COMMAND_ALONE.test(process.env.npm_lifecycle_script ?? '')) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    end();
  }, POLL_MS).unref();
}
