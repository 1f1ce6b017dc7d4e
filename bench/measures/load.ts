// Measures what a request costs, for each operation: all targets get the same requests in
// alternating slices, and sleep while another is measured.

import type { Bench } from '../harness/bench.js';
import { load } from '../harness/load.js';
import { OPERATIONS } from '../harness/operations.mjs';
import { questionsFor } from '../harness/questions.js';
import type { Server } from '../harness/server.js';
import { startTarget } from '../harness/start-target.js';
import { Results } from '../harness/statistics.js';
import type { Target } from '../harness/targets.js';
import type { Operation } from '../types.js';

/** How many slices of a round each server gets. */
const SLICES = 6;

/** One round over all operations and targets, each target in a process of this round. */
export async function measureLoad(bench: Bench) {
  const running = await startAll(
    bench,
    bench.targets.filter(({ onlyStarts }) => !onlyStarts),
  );
  for (const operation of OPERATIONS) {
    bench.say(operation.title);
    await measureInSlices(bench, operation, [...running]);
  }
  for (const [{ name }, server] of running) {
    server.resume();
    bench.results.add('memory after load', name, server.residentMb());
    await server.stop();
  }
}

async function startAll(bench: Bench, targets: Target[]) {
  const running: Map<Target, Server> = new Map();
  for (const target of targets) {
    try {
      const server = await startTarget(bench, target, 'load');
      server.pause();
      running.set(target, server);
    } catch (error) {
      const { message } = error as Error;
      for (const { id } of OPERATIONS) bench.results.refuse(id, target.name, message);
    }
  }
  return running;
}

/** Warms up each server, and adds the medians of its slices. */
export async function measureInSlices(
  { results, plan, data }: Bench,
  operation: Operation,
  running: [Target, Server][],
  times = 1,
) {
  const { id } = operation;
  const ofSlices = new Results();
  const begun = running.map(([target, server]) => {
    const { trial, next } = questionsFor(target, operation, data.records);
    let leastBytes: number | undefined;
    const ask = (seconds: number) => load({ port: server.port, next, seconds, leastBytes });
    return {
      ...{ name: target.name, server },
      async warmUp() {
        const { reason, note, ...tried } = await trial(server.port);
        if (note) results.remark(id, target.name, note);
        if (reason) throw new Error(reason);
        leastBytes = tried.leastBytes;
        await ask(plan.warmUp);
      },
      async measure() {
        const before = server.cpuMs();
        const { count, rps, p50, p99, bytes } = await ask(plan.seconds / SLICES);
        const cpu = (1_000 * (server.cpuMs() - before)) / count;
        const figures = { '': rps, ' p50': p50, ' p99': p99, ' bytes': bytes, ' cpu': cpu };
        if (count > 0) ofSlices.addAll(target.name, figures, id);
      },
    };
  });
  for (let slice = -1; slice < times * SLICES; slice += 1) {
    for (const { name, server, warmUp, measure } of begun.reverse()) {
      if (results.cell(id, name).reason) continue;
      server.resume();
      await (slice < 0 ? warmUp() : measure()).catch(({ message }) =>
        results.refuse(id, name, message),
      );
      server.pause();
    }
  }
  for (const { name } of begun)
    for (const end of ['', ' p50', ' p99', ' bytes', ' cpu'])
      results.add(id + end, name, ofSlices.median(id + end, name));
}
