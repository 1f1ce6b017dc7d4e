// Measures targets with 100,000 measurements: memory, and a walk by cursor in pages of 1000.
import { Agent } from 'node:http';
import { ask } from '../harness/ask.js';
import type { Bench } from '../harness/bench.js';
import type { Server } from '../harness/server.js';
import { startTarget } from '../harness/start-target.js';
import { median } from '../harness/statistics.js';
import type { Target } from '../harness/targets.js';

/** How many pages at the start, in the middle and at the end make up each median. */
const STRETCH = 20;
const LEFT_OUT = 'left out of a quick run';
const NO_CURSOR = 'does not page by cursor';

/** One round over the targets that page by cursor. */
export async function measureLarge(bench: Bench) {
  for (const target of bench.targets) {
    const { name, large } = target;
    const reason = large ? bench.plan.notLarge.includes(name) && LEFT_OUT : NO_CURSOR;
    if (reason) bench.results.refuse('walk', name, reason);
    else {
      await walk(bench, target).catch(({ message }) => bench.results.refuse('walk', name, message));
    }
  }
}

async function walk(bench: Bench, target: Target) {
  const server = await startTarget(bench, target, 'large');
  try {
    await measureWalk(bench, target, server);
    if (target.kind === 'ours') {
      await measureOrder(bench, server);
    }
  } finally {
    await server.stop();
  }
}

async function measureWalk({ results }: Bench, target: Target, server: Server) {
  results.add('large start', target.name, server.firstAfterMs);
  results.add('large memory at start', target.name, server.residentMb());
  const pages = await walkPages(server.port);
  results.add('large memory', target.name, server.residentMb());
  results.add('walk', target.name, pages.reduce((sum, ms) => sum + ms, 0) / 1_000);
  results.add('walk first page', target.name, pages[0]);
  const over = (from: number) => median(pages.slice(from, from + STRETCH));
  const [start, middle, end] = [over(1), over(pages.length / 2), over(pages.length - STRETCH)];
  results.addAll(target.name, {
    ...{ 'walk start': start, 'walk middle': middle, 'walk end': end },
    'walk end over start': end / start,
  });
}

/** The milliseconds that each page takes, on one connection. */
async function walkPages(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  let count = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const startedAt = performance.now();
    const path = `/measurements?limit=1000${cursor && `&cursor=${cursor}`}`;
    const { body } = await ask(port, { method: 'GET', path, token: 'walk' }, agent);
    times.push(performance.now() - startedAt);
    count += body?.measurements?.length ?? 0;
    cursor = body?.nextCursor;
  }
  agent.destroy();
  if (count < 100_000) throw new Error(`The walk found ${count} measurements.`);
  return times;
}

/**
 * Times the first page of an account that lists measurements by creation time, for which the mock
 * sorts every record.
 */
async function measureOrder({ results }: Bench, { port }: Server) {
  const token = 'ordered';
  const body = JSON.stringify({ 'measurement-order': 'created-at' });
  await ask(port, { method: 'PATCH', path: '/__control/decisions', token, body });
  const startedAt = performance.now();
  await ask(port, { method: 'GET', path: '/measurements?limit=1000', token });
  results.add('first page by created-at', 'ours', performance.now() - startedAt);
}
