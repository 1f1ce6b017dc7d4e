import fc from 'fast-check';
import { leftOver } from '../server/start-command.js';
import { blanks } from './blanks.js';
import { callPlans } from './calls.js';
import { files } from './deep-files.js';
import { depth } from './deep-texts.js';
import { OPERATIONS } from './documents.js';
import { kind, type Note } from './kind.js';
import { planted } from './planted.js';
import { playCalls } from './play-calls.js';
import { playRaw } from './play-raw.js';
import { rawPlans } from './raw-requests.js';
import { Target } from './target.js';
import { streams } from './unread-streams.js';

const KINDS = {
  ...{ calls: kind(4, callPlans(), playCalls), raw: kind(3, rawPlans(), playRaw) },
  ...{ depth, files, blanks, streams, planted },
};

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** How long a run lasts, and where it begins. */
export interface FuzzBounds {
  readonly kinds: readonly KindName[];
  readonly seed: number;
  readonly cases: number;
  readonly seconds: number;
  /** The case to play, as a finding names it. */
  readonly path?: string;
}

/** Attacks its own mock with one kind after the other, each until it finds something. */
export async function fuzz(bounds: FuzzBounds) {
  const target = await Target.start();
  const cases: Record<string, number> = {};
  const found: string[] = [];
  const notSucceeded = new Set(OPERATIONS.map(({ operationId }) => operationId));
  const note: Note = ({ operation, method }, status) => {
    const isSuccess = method === operation.method && status >= 200 && status < 300;
    if (isSuccess) notSucceeded.delete(operation.operationId);
  };
  const shares = bounds.kinds.reduce((sum, name) => sum + KINDS[name].share, 0);
  try {
    // First calls build what stays in memory, which is not growth.
    await attack(target, 'calls', { ...bounds, seed: 1, cases: 2, path: '' }, () => undefined);
    await target.clean();
    const before = await target.command.measure();
    for (const name of bounds.kinds) {
      const seconds = (bounds.seconds * KINDS[name].share) / shares;
      const run = await attack(target, name, { ...bounds, seconds }, note);
      cases[name] = run.numRuns;
      if (run.counterexamplePath === null) continue;
      const repeat = `--only ${name} --seed ${run.seed} --path ${run.counterexamplePath}`;
      found.push(`Repeat with: npm run fuzz -- ${repeat}\n${fc.defaultReportMessage(run)}`);
    }
    await target.clean();
    target.hangUp();
    const after = await target.command.measure();
    /** The growth of the heap after garbage collection; `leftOpen` is what clients left open. */
    const growthBytes = after.heapUsed - before.heapUsed;
    return { cases, found, notSucceeded, growthBytes, leftOpen: leftOver(before, after) };
  } finally {
    await target.stop();
  }
}

/** Plays cases of a kind until time is up, and shrinks one that finds something. */
async function attack(
  target: Target,
  name: KindName,
  { seed, cases, seconds, path = '' }: FuzzBounds,
  note: Note,
): Promise<fc.RunDetails<[unknown]>> {
  const { plans, play } = KINDS[name];
  let last = Promise.resolve();
  const property = fc.asyncProperty(plans, (plan) => {
    last = play(target, plan, note);
    return last;
  });
  const limits = { numRuns: cases, interruptAfterTimeLimit: 1_000 * seconds };
  const run = await fc.check(property, { seed, path, ...limits, includeErrorInReport: true });
  // When time is up, a case may still be under way.
  await last.catch(() => undefined);
  return run;
}
