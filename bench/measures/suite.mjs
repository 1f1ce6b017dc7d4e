// A suite of 20 files of tests in two workers: how long the runner takes, and what a worker holds.
import { RUNNERS, TARGETS, writePackages, writeProject } from '../suite/project.mjs';
import { runSuite } from '../suite/run.mjs';

/** @import { Bench, SuiteRunner, SuiteTarget } from '../types.js' */

/**
 * One round: each runner with each way to mock, in turn. Before the first, each runs one file, so
 * that what runners and mocks keep between runs is there.
 * @param {Bench} bench
 * @param {number} round
 */
export async function measureSuite(bench, round) {
  if (round === 0) writePackages(bench.data);
  for (const runner of RUNNERS.filter(bench.plan.suite)) {
    for (const target of TARGETS) {
      if (round === 0) await attempt(bench, runner, target, ['billing-1.test']);
    }
    for (const target of TARGETS) {
      const figures = await attempt(bench, runner, target);
      bench.results.add(`suite in ${runner.name}`, target.name, figures?.seconds);
      bench.results.add(`suite in ${runner.name}, worker`, target.name, figures?.workerMb);
      bench.results.add(`suite in ${runner.name}, mock`, target.name, figures?.mockMb);
    }
  }
}

/**
 * Runs the suite, or the files that are named; what did not succeed once is not tried again.
 * @param {Bench} bench
 * @param {SuiteRunner} runner
 * @param {SuiteTarget} target
 * @param {string[]} [only]
 */
async function attempt({ cores, data, peers, results }, runner, target, only) {
  const measure = `suite in ${runner.name}`;
  if (results.cell(measure, target.name).reason) return undefined;
  try {
    const { reason } = peers[target.folder ?? ''] ?? {};
    if (reason) throw new Error(reason);
    return await runSuite(cores, runner, writeProject(data, runner, target), only);
  } catch (error) {
    results.refuse(measure, target.name, /** @type {Error} */ (error).message);
    return undefined;
  }
}
