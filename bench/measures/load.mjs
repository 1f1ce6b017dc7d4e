// Requests a second for each operation; every target is asked the same in turn, the others sleep.
import { load } from '../harness/load.mjs';
import { OPERATIONS } from '../harness/operations.mjs';
import { questionsFor } from '../harness/questions.mjs';
import { startTarget } from '../harness/start-target.mjs';
import { CEILING } from '../harness/targets.mjs';

/** @import { Bench, Operation, Server, Target } from '../types.js' */

/**
 * One round over all operations and targets, each target in a process of this round.
 * @param {Bench} bench
 */
export async function measureLoad(bench) {
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

/**
 * @param {Bench} bench
 * @param {Target[]} targets
 */
async function startAll(bench, targets) {
  /** @type {Map<Target, Server>} */
  const running = new Map();
  for (const target of targets) {
    try {
      const server = await startTarget(bench, target, 'load');
      server.pause();
      running.set(target, server);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      for (const { id } of OPERATIONS) bench.results.refuse(id, target.name, message);
    }
  }
  return running;
}

/**
 * @param {Bench} bench
 * @param {Operation} operation
 * @param {Target} target
 * @param {Server} server
 */
async function measure({ results, plan, data }, operation, target, { port }) {
  if (results.cell(operation.id, target.name).reason) return;
  const questions = questionsFor(target, operation, data.records);
  const { reason, note, leastBytes } = await questions.trial(port);
  if (note) results.remark(operation.id, target.name, note);
  if (reason) return results.refuse(operation.id, target.name, reason);
  const { next } = questions;
  const seconds = operation === OPERATIONS[0] ? plan.firstWarmUp : plan.warmUp;
  if (!questions.isFinite) await load({ port, next, seconds, leastBytes });
  const figures = await load({ port, next, seconds: plan.seconds, leastBytes });
  results.add(operation.id, target.name, figures.rps);
  for (const name of /** @type {const} */ (['p50', 'p99', 'bytes'])) {
    results.add(`${operation.id} ${name}`, target.name, figures[name]);
  }
}
