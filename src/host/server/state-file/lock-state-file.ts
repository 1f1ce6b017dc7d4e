import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { membersOf } from '../../../core/values/json-value.js';
import { parseJson } from '../../../core/values/parse-json.js';
import { isAnotherProcess } from '../process/other-processes.js';

/** How long after it was last held a lock is stale: three saves. */
export const STALE_MS = 15_000;

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
  const startedAt = new Date(performance.timeOrigin).toISOString();
  // Each mock of a process has its own.
  const own = JSON.stringify({ host: hostname(), pid, startedAt, id: randomUUID() });
  const isOwn = () => contentOf(path) === own;
  return {
    hold() {
      if (isOwn()) {
        const now = new Date();
        utimesSync(path, now, now);
        return true;
      }
      if (!isStale(path, startedAt)) return false;
      rmSync(path, { force: true });
      // `wx` fails if another mock has just taken it.
      writeFileSync(path, own, { flag: 'wx', mode: 0o600 });
      return true;
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

/** True if nobody has the lock, or the process that took it has ended. */
function isStale(path: string, ownStart: string): boolean {
  const { host, pid, startedAt } = lockIn(path);
  const heldAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // The clock may have been set back.
  if (typeof host !== 'string' || Math.abs(Date.now() - heldAtMs) > STALE_MS) return true;
  if (host !== hostname()) return false;
  // A process that is restarted in a container has the same id.
  return pid === process.pid ? startedAt !== ownStart : !isAnotherProcess(Number(pid));
}
