import type { Bench } from './bench.js';
import { FIRST } from './operations.mjs';
import { startServer } from './server.js';
import { ROOT, type Target, type Use } from './targets.js';

/** Starts a target for one use; `env` adds environment variables. */
export async function startTarget(
  bench: Bench,
  target: Target,
  use: Use,
  env: Record<string, string> = {},
) {
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
