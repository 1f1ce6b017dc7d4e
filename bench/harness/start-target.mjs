import { FIRST } from './operations.mjs';
import { startServer } from './server.mjs';
import { ROOT } from './targets.mjs';

/** @import { Bench, Target, Use } from '../types.js' */

/**
 * Starts a target for one use: start, load or large; with more variables of the environment.
 * @param {Bench} bench
 * @param {Target} target
 * @param {Use} use
 * @param {Record<string, string>} [env]
 */
export async function startTarget(bench, target, use, env = {}) {
  const { reason } = bench.peers[target.folder ?? ''] ?? {};
  if (reason) throw new Error(reason);
  return startServer({
    env,
    prefix: bench.cores.prefix,
    command: (port) => target.command(String(port), use, bench.data),
    cwd: target.cwd?.(use, bench.data) ?? ROOT,
    first: { ...(target.first?.(use, bench.data) ?? FIRST), token: 'bench' },
  });
}
