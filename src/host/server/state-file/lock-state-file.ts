import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { membersOf } from '../../../core/values/json-value.js';
import { parseJson } from '../../../core/values/parse-json.js';
import { realTimeMs } from '../../adapters/unfaked-time.js';
import { isAnotherProcess } from '../process/other-processes.js';

/** How long after it was last held a lock is stale: three saves. */
export const STALE_MS = 15_000;

/** How far apart two threads may measure the start of their process. */
const SAME_START_MS = 100;

/** A file beside the state file that says which mock writes it. */
export interface StateLock {
  /** Takes or refreshes the lock; returns false if another mock has it. Throws if it cannot. */
  hold(): boolean;
  /** Says who has the lock. */
  holder(): string;
  release(): void;
}

export function createStateLock(stateFile: string): StateLock {
  const path = `${stateFile}.lock`;
  const { pid } = process;
  const startedAt = new Date(processStartMs()).toISOString();
  // Each mock of a process has its own.
  const own = JSON.stringify({ host: hostname(), pid, startedAt, id: randomUUID() });
  const isOwn = () => contentOf(path) === own;
  return {
    hold() {
      if (isOwn()) {
        // The system says when, since test runners fake `Date`.
        writeFileSync(path, own, { flag: 'r+' });
        return true;
      }
      const heldAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (heldAtMs !== undefined) {
        if (!isStale(path, heldAtMs)) return false;
        rmSync(path, { force: true });
      }
      return isCreated(path, own);
    },
    holder() {
      const { host, pid } = lockIn(path);
      return `process ${pid} on ${host}`;
    },
    release() {
      try {
        if (isOwn()) rmSync(path, { force: true });
      } catch {
        // On a disk that has become read-only, the lock becomes stale.
      }
    },
  };
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function lockIn(path: string) {
  try {
    return membersOf(parseJson(contentOf(path) ?? ''));
  } catch {
    return {};
  }
}

/** False if another mock has just created the file. */
function isCreated(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** True if the process that took the lock has ended, or has not held it for long. */
function isStale(path: string, heldAtMs: number): boolean {
  const { host, pid, startedAt } = lockIn(path);
  // The clock may have been set back.
  if (typeof host !== 'string' || Math.abs(realTimeMs() - heldAtMs) > STALE_MS) return true;
  if (host !== hostname()) return false;
  if (pid !== process.pid) return !isAnotherProcess(Number(pid));
  // A process that is restarted in a container has the same id.
  return !(Date.parse(String(startedAt)) >= processStartMs() - SAME_START_MS);
}

/** The same in each thread, unlike `performance.timeOrigin`. */
function processStartMs(): number {
  return realTimeMs() - process.uptime() * 1_000;
}
