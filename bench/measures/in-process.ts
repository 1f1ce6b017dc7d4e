// Measures in process: the first response of a fresh process, sequential requests, and accounts.
import type { Bench } from '../harness/bench.js';
import { OPERATIONS } from '../harness/operations.mjs';
import { ROOT } from '../harness/targets.js';

/** A module that exports `open`, to be measured in process. */
interface InProcessTarget {
  name: string;
  folder?: string;
  module: string;
}

const IN_PROCESS = `${ROOT}bench/in-process/`;

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
    }
  }
  for (const target of TARGETS) {
    const { warmUp, seconds } = bench.plan;
    for (const { id } of OPERATIONS) {
      await note(bench, target, id, async () => {
        const fixture = bench.data.fixture;
        const times = [warmUp, seconds].map(String);
        const { atFirst, requests, cpu } = await inFreshProcess(bench, target, [
          fixture,
          id,
          ...times,
        ]);
        return { [id]: requests, [`${id} at first`]: atFirst, [`${id} cpu`]: cpu };
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
