// In process: the first answer of a fresh process and of a file of jest, sequential requests, and
// what accounts cost.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OPERATIONS } from '../harness/operations.mjs';
import { ROOT } from '../harness/targets.mjs';

/** @import { Bench, Cores, InProcessTarget } from '../types.js' */

const run = promisify(execFile);
const IN_PROCESS = `${ROOT}bench/in-process/`;
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  `${ROOT}node_modules/jest/bin/jest.js`,
  '--config',
  JSON.stringify({ rootDir: `${IN_PROCESS}jest`, testMatch: ['**/*.test.mjs'], transform: {} }),
];

/** @type {InProcessTarget} */
export const OURS = { name: 'ours', module: `${IN_PROCESS}ours.mjs` };
/** @type {InProcessTarget[]} */
const TARGETS = [{ name: 'MSW', folder: 'msw', module: `${ROOT}bench/peers/msw/open.mjs` }, OURS];

/**
 * One round: fresh processes for the first answers, then one for the requests.
 * @param {Bench} bench
 */
export async function measureInProcess(bench) {
  for (let nth = 0; nth < bench.plan.firstAnswers; nth += 1) {
    for (const target of TARGETS) {
      await note(bench, target, 'first answer', async () => {
        const { answered } = await inFreshProcess(bench, target, ['default', 'first answer']);
        return { 'first answer': answered };
      });
      await note(bench, target, 'first 100 requests', async () => {
        const { fixture } = bench.data;
        const { requests } = await inFreshProcess(bench, target, [fixture, 'first 100 requests']);
        return { 'first 100 requests': requests };
      });
      await note(bench, target, 'first answer in jest', async () => ({
        'first answer in jest': await inJest(bench, target),
      }));
    }
  }
  for (const target of TARGETS) {
    const { inProcess, inProcessWarmUp, seconds } = bench.plan;
    for (const { id } of OPERATIONS.filter(inProcess)) {
      await note(bench, target, id, async () => {
        const fixture = bench.data.fixture;
        const times = [inProcessWarmUp, seconds].map(String);
        const { atFirst, requests } = await inFreshProcess(bench, target, [fixture, id, ...times]);
        return { [id]: requests, [`${id} at first`]: atFirst };
      });
    }
  }
  const { stdout } = await bench.node(['--expose-gc', `${IN_PROCESS}accounts.mjs`]);
  for (const [name, value] of Object.entries(JSON.parse(stdout))) {
    bench.results.add(name, 'ours', value);
  }
}

/**
 * @param {Bench} bench
 * @param {InProcessTarget} target
 * @param {string} figure
 * @param {() => Promise<Record<string, number>>} measure
 */
async function note({ results, peers }, { name, folder }, figure, measure) {
  try {
    const { reason } = peers[folder ?? ''] ?? {};
    if (reason) throw new Error(reason);
    for (const [what, value] of Object.entries(await measure())) {
      results.add(`in process ${what}`, name, value);
    }
  } catch (error) {
    const { stderr, message } = /** @type {Error & { stderr?: string }} */ (error);
    results.refuse(`in process ${figure}`, name, String(stderr || message).slice(0, 200));
  }
}

/**
 * @param {Bench} bench
 * @param {InProcessTarget} target
 * @param {string[]} asked the dataset, the operation, and for how long
 * @param {Record<string, string>} [variables]
 */
export async function inFreshProcess({ node, data }, { module }, asked, variables) {
  const args = [`${IN_PROCESS}child.mjs`, module, data.recordsFile, ...asked];
  return JSON.parse((await node(args, variables)).stdout);
}

/**
 * @param {Bench} bench
 * @param {InProcessTarget} target
 */
async function inJest({ node, data }, { module }) {
  const result = join(data.folder, 'jest.txt');
  await node(JEST, {
    BENCH_MODULE: module,
    BENCH_RECORDS: data.recordsFile,
    BENCH_RESULT: result,
  });
  return Number(readFileSync(result, 'utf8'));
}

/**
 * Runs node where the servers run.
 * @param {Cores} cores
 */
export function nodeOn({ prefix }) {
  /**
   * @param {string[]} args
   * @param {Record<string, string>} [variables]
   */
  return (args, variables = {}) => {
    const [file = process.execPath, ...rest] = [...prefix, process.execPath, ...args];
    const options = { cwd: ROOT, env: { ...process.env, ...variables }, maxBuffer: 2 ** 26 };
    return run(file, rest, options);
  };
}
