import { ancestors, isAnotherProcess } from '../server/process/other-processes.js';

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
 * Calls `end` once an npm that waits for this process, as `npx` or `npm run` does, has ended. npm
 * passes only SIGTERM on, and only to its shell, so this process would keep running.
 */
export function endWithNpm(end: () => void): void {
  // Whatever a script of npm starts has inherited this; reading the processes takes a while.
  if (process.env.npm_lifecycle_event === undefined) return;
  let below: string | undefined;
  for (const { pid, command } of ancestors()) {
    const script = scriptIn(command);
    if (NPM.test(command)) endWithProcess(pid, end);
    // npm has ended while this process started, and init has its shell.
    else if (pid === 1 && isOfNpm(below)) setTimeout(end, POLL_MS);
    if (!NPM.test(command) && script === undefined) return;
    below = script;
  }
}

/** What a shell runs and waits for, all of it; undefined for any other process. */
function scriptIn(command: string): string | undefined {
  const [, script] = SHELL.exec(command) ?? [];
  if (script === undefined || IN_BACKGROUND.test(script.replaceAll(QUOTED, ''))) return undefined;
  return script;
}

/** Whether it is the script that npm, and not another package manager, has started. */
function isOfNpm(script: string | undefined): boolean {
  const { npm_config_user_agent: agent = '', npm_lifecycle_script: started } = process.env;
  return agent.startsWith('npm/') && started !== undefined && script?.startsWith(started) === true;
}
