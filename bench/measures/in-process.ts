// In process: the first response of a fresh process and of a file of jest, sequential requests, and
// what accounts cost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../harness/bench.js';
import { OPERATIONS } from '../harness/operations.mjs';
import { ROOT } from '../harness/targets.js';

/** What is measured in process: a module that exports `open`. */
interface InProcessTarget {
  name: string;
  folder?: string;
  module: string;
}

const IN_PROCESS = `${ROOT}bench/in-process/`;
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  `${ROOT}node_modules/jest/bin/jest.js`,
  '--config',
  JSON.stringify({ rootDir: `${IN_PROCESS}jest`, testMatch: ['**/*.test.mjs'], transform: {} }),
];

export const OURS: InProcessTarget = { name: 'ours', module: `${IN_PROCESS}ours.mjs` };
const TARGETS: InProcessTarget[] = [
  { name: 'MSW', folder: 'msw', module: `${ROOT}bench/peers/msw/open.mjs` },
  OURS,
];

/** One round: fresh processes for the first responses, then one for the requests. */
export async function measureInProcess(bench: Bench) {
  for (let nth = 0; nth < bench.plan.firstResponses; nth += 1) {
    for (const target of TARGETS) {
      await note(bench, target, 'first response', async () => {
        const { answered } = await inFreshProcess(bench, target, ['default', 'first response']);
        return { 'first response': answered };
      });
      await note(bench, target, 'first 100 requests', async () => {
        const { fixture } = bench.data;
        const { requests } = await inFreshProcess(bench, target, [fixture, 'first 100 requests']);
        return { 'first 100 requests': requests };
      });
      await note(bench, target, 'first response in jest', async () => ({
        'first response in jest': await inJest(bench, target),
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
  bench.results.addAll('ours', JSON.parse(stdout));
}

async function note(
  { results, peers }: Bench,
  { name, folder }: InProcessTarget,
  figure: string,
  measure: () => Promise<Record<string, number>>,
) {
  try {
    const { reason } = peers[folder ?? ''] ?? {};
    if (reason) throw new Error(reason);
    results.addAll(name, await measure(), 'in process ');
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    results.refuse(`in process ${figure}`, name, String(stderr || message).slice(0, 200));
  }
}

export async function inFreshProcess(
  { node, data }: Bench,
  { module }: InProcessTarget,
  asked: string[],
  variables?: Record<string, string>,
) {
  const args = [`${IN_PROCESS}child.mjs`, module, data.recordsFile, ...asked];
  return JSON.parse((await node(args, variables)).stdout);
}

async function inJest({ node, data }: Bench, { module }: InProcessTarget) {
  const result = join(data.folder, 'jest.txt');
  await node(JEST, {
    BENCH_MODULE: module,
    BENCH_RECORDS: data.recordsFile,
    BENCH_RESULT: result,
  });
  return Number(readFileSync(result, 'utf8'));
}
