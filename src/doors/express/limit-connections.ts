import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Logger } from 'pino';

/** How many file descriptors the limit on connections leaves free. */
const KEPT_FREE = 16;

/**
 * Closes new connections before the process runs out of file descriptors, and logs a warning once.
 * Otherwise the system would close them silently, and no file could be read or saved.
 */
export function limitConnections(server: Server, logger: Logger): void {
  server.once('listening', () => {
    const most = mostConnections();
    if (most === undefined) return;
    server.maxConnections = most;
    server.once('drop', () =>
      logger.warn(
        `Closed a new connection: ${most} are open, and this process cannot open any more files. Close connections, or raise the limit (ulimit -n).`,
      ),
    );
  });
}

/**
 * How many connections the process can have; undefined except on Linux. Node's report is no help:
 * on macOS it can say 'unlimited' although another limit applies.
 */
function mostConnections(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, limit] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    if (limit === undefined) return undefined;
    return Math.max(1, Number(limit) - readdirSync('/proc/self/fd').length - KEPT_FREE);
  } catch {
    return undefined;
  }
}
