// Measures the time from spawn to the first 200, the memory that a server holds then, and the first
// calls of the control plane, each of which compiles its validators.
import { ask } from '../harness/ask.js';
import type { Bench } from '../harness/bench.js';
import { nodeOf, OLDEST } from '../harness/node-versions.js';
import type { Server } from '../harness/server.js';
import { startTarget } from '../harness/start-target.js';
import type { Target } from '../harness/targets.js';

/** Longer than this mock takes to save its compiled code. */
const SETTLED_AFTER_MS = 1_500;

const OLDEST_TOO = ['node:http alone', 'node:http', 'ours'];

/** Starts every target in turn, several times over. */
export async function measureStart(bench: Bench, round: number) {
  const { targets, results, plan } = bench;
  if (round === 0) await settle(bench);
  const oldest = nodeOf(OLDEST);
  for (let nth = 0; nth < plan.starts; nth += 1) {
    for (const target of targets) {
      if (results.cell('start', target.name).reason) continue;
      try {
        const server = await startTarget(bench, target, 'start');
        results.add('start', target.name, server.firstAfterMs);
        results.add('memory at start', target.name, server.residentMb());
        if (target.kind === 'ours') await measureControl(bench, server);
        await server.stop();
        for (const [measure, how] of otherwise(target, oldest)) {
          const other = await startTarget(bench, target, 'start', how);
          results.add(measure, target.name, other.firstAfterMs);
          await other.stop();
        }
      } catch (error) {
        results.refuse('start', target.name, (error as Error).message);
      }
    }
  }
}

const CONTROL_CALLS = [
  ['GET', '/account'],
  ['PATCH', '/decisions', '{"final-cursor":"empty-string"}'],
  ['POST', '/faults', '{"kind":"status","status":503}'],
  ['PUT', '/clock', '{"frozenAt":"2026-01-01T00:00:00.000Z"}'],
  ['GET', '/requests'],
];

/** Adds the time of the slowest of some first calls. */
async function measureControl({ results }: Bench, { port }: Server) {
  const times = [];
  for (const [method = '', path, body] of CONTROL_CALLS) {
    const startedAt = performance.now();
    const { status } = await ask(port, {
      method,
      path: `/__control${path}`,
      token: 'control',
      ...(body && { body }),
    });
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}`);
    times.push(performance.now() - startedAt);
  }
  results.add('first call of the control plane', 'ours', Math.max(...times));
}

/** Starts each target once before anything is measured, so that caches are filled as usual. */
async function settle(bench: Bench) {
  for (const target of bench.targets.filter(bench.plan.settles)) {
    const server = await startTarget(bench, target, 'start').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, SETTLED_AFTER_MS));
    await server?.stop();
  }
}

/** The other ways to start a target. */
function otherwise({ name, withNothingKept }: Target, oldest: string) {
  const ways: [measure: string, how: Parameters<typeof startTarget>[3]][] = [];
  if (withNothingKept) ways.push(['start with nothing kept', { env: withNothingKept }]);
  if (OLDEST_TOO.includes(name)) ways.push([`start on Node ${OLDEST}`, { node: oldest }]);
  return ways;
}
