// Compares the CPU time of a request in this build and in another one, in alternating slices.

import type { Bench } from '../harness/bench.js';
import { OPERATIONS } from '../harness/operations.mjs';
import type { Server } from '../harness/server.js';
import { startTarget } from '../harness/start-target.js';
import { TARGETS, type Target } from '../harness/targets.js';
import { ratio } from '../report/compare.js';
import { figure, range, table } from '../report/format.js';
import { inFreshProcess, OURS } from './in-process.js';
import { measureInSlices } from './load.js';

const BEFORE = 'the build before';
const PLACES = [' cpu', ' in process'];

/** One round over sockets, and one in process. */
export async function measureBeside(bench: Bench, folder: string) {
  const ours = TARGETS.find(({ kind }) => kind === 'ours') as Target;
  const builds = [ours, { ...ours, name: BEFORE, cwd: () => folder }];
  for (const operation of OPERATIONS) {
    bench.say(operation.title);
    const running: [Target, Server][] = [];
    for (const target of builds) running.push([target, await startTarget(bench, target, 'load')]);
    for (const [, server] of running) server.pause();
    // Six times as many slices as for the tables.
    await measureInSlices(bench, operation, running, 6);
    for (const [, server] of running) await server.stop();
    for (const { name, cwd } of builds) {
      const variables = cwd ? { BENCH_BUILD: folder } : {};
      const times = [bench.plan.warmUp, bench.plan.seconds].map(String);
      const args = [bench.data.fixture, operation.id, ...times];
      const { cpu } = await inFreshProcess(bench, OURS, args, variables);
      bench.results.add(operation.id + PLACES[1], name, cpu);
    }
  }
}

export function besideTable({ results }: Bench) {
  const rows = PLACES.flatMap((place) =>
    OPERATIONS.map(({ id }) => {
      const measure = id + place;
      const [before, ours] = [BEFORE, 'ours'].map((name) => results.median(measure, name));
      const ranges = [BEFORE, 'ours'].map((name) => range(results.cell(measure, name).values));
      return [
        measure.replace('cpu', 'over sockets'),
        figure(before),
        figure(ours),
        figure(ratio(ours, before)),
        ...ranges,
      ];
    }),
  );
  const head = ['CPU of a request, µs', BEFORE, 'ours', 'ours ÷ before'];
  return table([...head, 'range before', 'range of ours'], rows);
}
