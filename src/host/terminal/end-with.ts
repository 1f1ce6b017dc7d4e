import { ancestors, isAnotherProcess } from '../server/running-process.js';

const POLL_MS = 200;

/** Calls `end` once a process has ended, however it ends. */
export function endWithProcess(pid: number, end: () => void): void {
  const timer = setInterval(() => {
    if (isAnotherProcess(pid)) return;
    clearInterval(timer);
    end();
  }, POLL_MS).unref();
}

/** How npm names itself in its command line. */
const NPM = /^npm(?: |$)/;
/** A shell that runs a script of npm. */
const SHELL = /^\S+ -c (.*)$/s;
const QUOTED = /'[^']*'|"[^"]*"/g;
/** Neither `&&` nor a redirection. */
const IN_BACKGROUND = /(?<![&>|])&(?![&>])/;

/**
 * Calls `end` once npm has ended that waits for this process, as `npx` or `npm run`. npm passes
 * SIGTERM on to its shell alone, and no other signal, which would leave this process running.
 */
export function endWithNpm(end: () => void): void {
  // Whatever a script of npm starts has inherited this; reading the processes takes a while.
  if (process.env.npm_lifecycle_event === undefined) return;
  for (const { pid, command } of ancestors()) {
    if (NPM.test(command)) endWithProcess(pid, end);
    else if (!isScript(command)) return;
  }
}

/** True if a shell runs the command that it was given, and waits for all of it. */
function isScript(command: string): boolean {
  const [, script] = SHELL.exec(command) ?? [];
  return script !== undefined && !IN_BACKGROUND.test(script.replaceAll(QUOTED, ''));
}
