// Ours beside another build of it: the CPU time of a request, in slices that alternate.

import type { Bench } from '../harness/bench.js';
import { load } from '../harness/load.js';
import { OPERATIONS } from '../harness/operations.mjs';
import { AMONG_THE_GOALS } from '../harness/plan.js';
import { questionsFor } from '../harness/questions.js';
import { startTarget } from '../harness/start-target.js';
import type { Target } from '../harness/targets.js';
import { TARGETS } from '../harness/targets.js';
import { ratio } from '../report/compare.js';
import { figure, range, table } from '../report/format.js';
import type { Operation } from '../types.js';
import { inFreshProcess, OURS } from './in-process.js';

const SLICES = 6;
const BEFORE = 'the build before';
const PLACES = ['over sockets', 'in process'];
const COMPARED = OPERATIONS.filter(({ id }) => AMONG_THE_GOALS.includes(id));

/** One round over sockets, and one in process. */
export async function measureBeside(bench: Bench, folder: string) {
  const ours = TARGETS.find(({ kind }) => kind === 'ours') as Target;
  const builds = [ours, { ...ours, name: BEFORE, cwd: () => folder }];
  for (const operation of COMPARED) {
    bench.say(operation.title);
    await measureOverSockets(bench, operation, builds);
    for (const { name, cwd } of builds) {
      const variables = cwd ? { BENCH_BUILD: folder } : {};
      const times = [bench.plan.inProcessWarmUp, bench.plan.seconds].map(String);
      const args = [bench.data.fixture, operation.id, ...times];
      const { cpu } = await inFreshProcess(bench, OURS, args, variables);
      bench.results.add(`${operation.id} ${PLACES[1]}`, name, cpu);
    }
  }
}

async function measureOverSockets(bench: Bench, operation: Operation, builds: Target[]) {
  const { plan, data, results } = bench;
  const running = [];
  for (const target of builds) {
    const server = await startTarget(bench, target, 'load');
    const { trial, next } = questionsFor(target, operation, data.records);
    const { leastBytes, reason } = await trial(server.port);
    if (reason) throw new Error(`${target.name} ${reason}`);
    await load({ port: server.port, next, seconds: plan.firstWarmUp, leastBytes });
    server.pause();
    running.push({ name: target.name, server, next, leastBytes });
  }
  for (let slice = 0; slice < SLICES; slice += 1) {
    for (const { name, server, next, leastBytes } of running.reverse()) {
      server.resume();
      const before = server.cpuMs();
      const { count } = await load({ port: server.port, next, seconds: plan.seconds, leastBytes });
      const usedMs = server.cpuMs() - before;
      server.pause();
      results.add(`${operation.id} ${PLACES[0]}`, name, (1_000 * usedMs) / count);
    }
  }
  for (const { server } of running) await server.stop();
}

export function besideTable({ results }: Bench) {
  const rows = PLACES.flatMap((place) =>
    COMPARED.map(({ id }) => {
      const measure = `${id} ${place}`;
      const [before, ours] = [BEFORE, 'ours'].map((name) => results.median(measure, name));
      const ranges = [BEFORE, 'ours'].map((name) => range(results.cell(measure, name).values));
      return [measure, figure(before), figure(ours), figure(ratio(ours, before)), ...ranges];
    }),
  );
  const head = ['CPU of a request, µs', BEFORE, 'ours', 'ours ÷ before'];
  return table([...head, 'range before', 'range of ours'], rows);
}
