// Requests a second for each operation; every target is asked the same in turn, the others sleep.

import type { Bench } from '../harness/bench.js';
import { load } from '../harness/load.js';
import { OPERATIONS } from '../harness/operations.mjs';
import { questionsFor } from '../harness/questions.js';
import type { Server } from '../harness/server.js';
import { startTarget } from '../harness/start-target.js';
import type { Target } from '../harness/targets.js';
import { CEILING } from '../harness/targets.js';
import type { Operation } from '../types.js';

/** One round over all operations and targets, each target in a process of this round. */
export async function measureLoad(bench: Bench) {
  const running = await startAll(bench, [...bench.targets, CEILING]);
  for (const operation of OPERATIONS) {
    bench.say(operation.title);
    for (const [target, server] of running) {
      if (target === CEILING && operation !== OPERATIONS[0]) continue;
      server.resume();
      await measure(bench, operation, target, server).catch(({ message }) =>
        bench.results.refuse(operation.id, target.name, message),
      );
      server.pause();
    }
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

async function measure(
  { results, plan, data }: Bench,
  operation: Operation,
  target: Target,
  { port }: Server,
) {
  if (results.cell(operation.id, target.name).reason) return;
  const questions = questionsFor(target, operation, data.records);
  const { reason, note, leastBytes } = await questions.trial(port);
  if (note) results.remark(operation.id, target.name, note);
  if (reason) return results.refuse(operation.id, target.name, reason);
  const { next } = questions;
  const seconds = operation === OPERATIONS[0] ? plan.firstWarmUp : plan.warmUp;
  if (!questions.isFinite) await load({ port, next, seconds, leastBytes });
  const figures = await load({ port, next, seconds: plan.seconds, leastBytes });
  const { rps, p50, p99, bytes } = figures;
  results.addAll(target.name, { '': rps, ' p50': p50, ' p99': p99, ' bytes': bytes }, operation.id);
}
