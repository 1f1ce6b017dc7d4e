// Spawn to the first 200, and the memory that a server holds then.
import { startTarget } from '../harness/start-target.mjs';

/** @import { Bench, Target } from '../types.js' */

/** Longer than ours takes to keep what it has compiled. */
const SETTLED_AFTER_MS = 1_500;

/**
 * Starts every target in turn, several times over.
 * @param {Bench} bench
 * @param {number} round
 */
export async function measureStart(bench, round) {
  const { targets, results, plan } = bench;
  if (round === 0) await settle(bench);
  for (let nth = 0; nth < plan.starts; nth += 1) {
    for (const target of targets) {
      if (results.cell('start', target.name).reason) continue;
      try {
        const server = await startTarget(bench, target, 'start');
        results.add('start', target.name, server.firstAfterMs);
        results.add('memory at start', target.name, server.residentMb());
        await server.stop();
        if (target.withNothingKept) await measureWithNothingKept(bench, target);
      } catch (error) {
        results.refuse('start', target.name, /** @type {Error} */ (error).message);
      }
    }
  }
}

/**
 * Starts each once before the first is measured, as on any day but that of the installation.
 * @param {Bench} bench
 */
async function settle(bench) {
  for (const target of bench.targets.filter(bench.plan.settles)) {
    const server = await startTarget(bench, target, 'start').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, SETTLED_AFTER_MS));
    await server?.stop();
  }
}

/**
 * @param {Bench} bench
 * @param {Target} target
 */
async function measureWithNothingKept(bench, target) {
  const server = await startTarget(bench, target, 'start', target.withNothingKept);
  bench.results.add('start with nothing kept', target.name, server.firstAfterMs);
  await server.stop();
}
