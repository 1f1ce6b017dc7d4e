// Measures a suite of 20 test files in two workers: its duration, and the memory of a worker.

import type { Bench } from '../harness/bench.js';
import type { SuiteRunner, SuiteTarget } from '../suite/project.js';
import { RUNNERS, TARGETS, writePackages, writeProject } from '../suite/project.js';
import { runSuite } from '../suite/run.js';
import { measureCommands } from './commands.js';

/**
 * One round: each runner with each way to mock, in turn. Before the first round, each runs one file
 * to fill the caches of runners and mocks.
 */
export async function measureSuite(bench: Bench, round: number) {
  if (round === 0) writePackages(bench.data);
  await measureCommands(bench, round);
  for (const runner of RUNNERS.filter(bench.plan.suite)) {
    for (const target of TARGETS) {
      if (round === 0) await attempt(bench, runner, target, ['billing-1.test']);
    }
    for (const target of TARGETS) {
      const figures = await attempt(bench, runner, target);
      bench.results.addAll(target.name, figures ?? {}, `suite in ${runner.name}`);
    }
  }
}

/** Runs the suite, or only the named files. What has failed once is not tried again. */
async function attempt(
  { cores, data, peers, results }: Bench,
  runner: SuiteRunner,
  target: SuiteTarget,
  only?: string[],
) {
  const measure = `suite in ${runner.name}`;
  if (results.cell(measure, target.name).reason) return undefined;
  try {
    const { reason } = peers[target.folder ?? ''] ?? {};
    if (reason) throw new Error(reason);
    return await runSuite(cores, runner, writeProject(data, runner, target), only);
  } catch (error) {
    results.refuse(measure, target.name, (error as Error).message);
    return undefined;
  }
}
