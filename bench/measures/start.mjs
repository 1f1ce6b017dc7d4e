// Spawn to the first 200, and the memory that a server holds then.
import { startTarget } from '../harness/start-target.mjs';

/** Starts every target in turn, several times over. */
export async function measureStart(bench) {
  const { targets, results, plan } = bench;
  for (let nth = 0; nth < plan.starts; nth += 1) {
    for (const target of targets) {
      if (results.cell('start', target.name).reason) continue;
      try {
        const server = await startTarget(bench, target, 'start');
        results.add('start', target.name, server.firstAfterMs);
        results.add('memory at start', target.name, server.residentMb());
        await server.stop();
      } catch (error) {
        results.refuse('start', target.name, error.message);
      }
    }
  }
}
