// How long others wait while the control plane is asked for something long.
import { Agent, request as open } from 'node:http';
import type { Bench } from '../harness/bench.js';
import type { Server } from '../harness/server.js';

/** What goes through all records, or takes them all away; with the body, if it has one. */
export const LONG_REQUESTS: Record<string, string[]> = {
  'GET /account': [],
  'GET /state': [],
  'PUT /state, empty': ['{}'],
  'POST /snapshots': ['{"id":"kept"}'],
  'POST /snapshots/kept/restore': [],
  'POST /reset': [],
  'PUT /state, 10 MB': [stateOf(10 * 2 ** 20)],
};

/** How long each of them takes, and how long another connection waits for its response meanwhile. */
export async function measureStops(
  { results }: Pick<Bench, 'results'>,
  { port }: Pick<Server, 'port'>,
) {
  const agent = new Agent({ keepAlive: true });
  // What is made when it is first called is measured with the start.
  await askControl(agent, port, 'GET /fidelity');
  for (const [name, [body]] of Object.entries(LONG_REQUESTS)) {
    let isUnderWay = true;
    const startedAt = performance.now();
    const asked = askControl(agent, port, name.split(',')[0] ?? '', body).then(() => {
      isUnderWay = false;
      return performance.now() - startedAt;
    });
    let longest = 0;
    while (isUnderWay) {
      const askedAt = performance.now();
      await askControl(agent, port, 'GET /health');
      longest = Math.max(longest, performance.now() - askedAt);
    }
    results.add(`${name} ms`, 'ours', await asked);
    results.add(`${name} stop`, 'ours', longest);
  }
  agent.destroy();
}

function askControl(agent: Agent, port: number, name: string, body?: string) {
  const [method, path] = name.split(' ');
  const headers = { Authorization: 'Bearer stops', 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: `/__control${path}`, method, headers, agent };
    open(options, (response) => response.resume().on('end', resolve).on('error', reject))
      .on('error', reject)
      .end(body);
  });
}

function stateOf(bytes: number) {
  const record = (nth: number) => ({
    id: `own-${nth}`,
    usageDate: { year: 2026, month: 1, day: 1 },
  });
  const count = Math.floor(bytes / JSON.stringify(record(100_000)).length);
  return JSON.stringify({ measurements: Array.from({ length: count }, (_, nth) => record(nth)) });
}
