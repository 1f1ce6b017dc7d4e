import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Logger } from 'pino';

/** How many files can still be opened when connections have taken all others. */
const KEPT_FREE = 16;

/**
 * Closes connections for which the process could open no more files, and says so in the log, once; the
 * system would close them without a word, and then no file could be read or saved.
 */
export function limitConnections(server: Server, logger: Logger): void {
  server.once('listening', () => {
    const most = mostConnections();
    if (most === undefined) return;
    server.maxConnections = most;
    server.once('drop', () =>
      logger.warn(
        `Closed a new connection: ${most} are open, which is as many as the limit of open files of this process allows. Close connections, or raise the limit (ulimit -n).`,
      ),
    );
  });
}

/**
 * How many connections the process can have; undefined where the system does not say. Only Linux is
 * asked: the limit in Node's report can be 'unlimited' on macOS, which has another one beside it.
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
