import type { Bench } from './bench.js';
import { FIRST } from './operations.mjs';
import { startServer } from './server.js';
import { ROOT, type Target, type Use } from './targets.js';

/** Starts a target for one use; `env` adds environment variables, `node` is another Node's path. */
export async function startTarget(
  bench: Bench,
  target: Target,
  use: Use,
  { env = {}, node = process.execPath }: { env?: Record<string, string>; node?: string } = {},
) {
  const { reason } = bench.peers[target.folder ?? ''] ?? {};
  if (reason) throw new Error(reason);
  return startServer({
    env,
    node,
    prefix: bench.cores.prefix,
    command: (port) => target.command(String(port), use, bench.data),
    cwd: target.cwd?.(use, bench.data) ?? ROOT,
    first: { ...(target.first?.(use, bench.data) ?? FIRST), token: 'bench' },
  });
}
