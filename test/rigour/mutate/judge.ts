import type { Mutant, Verdict } from './mutant.js';
import type { Planner } from './plan.js';
import type { TestFile } from './worker-messages.js';
import type { Outcome, WorkerProcess } from './worker-process.js';

/** The test that failed, if one did. */
interface Noticed {
  readonly fate: 'killed' | 'timed out';
  readonly by: TestFile | undefined;
  readonly name: string;
}

function noticed(outcome: Outcome): Noticed | undefined {
  if (outcome.kind !== 'done') return { fate: 'timed out', by: undefined, name: outcome.test };
  for (const { file, tests } of outcome.files) {
    const failed = tests.find(({ error }) => error);
    if (!failed) continue;
    const isTimeout = /Exceeded timeout|loop without an end/.test(failed.error ?? '');
    const ran = tests.flatMap(({ name }) => name || []);
    const by = { file, tests: failed.name === '' ? ran : [failed.name] };
    return { fate: isTimeout ? 'timed out' : 'killed', by, name: `${file} > ${failed.name}` };
  }
  return undefined;
}

/** Whether the tests that failed pass without the mutant, in the same process. */
async function passesWithout(worker: WorkerProcess, planner: Planner, { by }: Noticed) {
  if (!by) return true;
  const outcome = await worker.obey(planner.orderOf(0, [by]));
  return noticed(outcome) === undefined;
}

/** So often are tests taken out that fail without the mutant too. */
const MOST_TURNS = 5;

async function tryTests(
  worker: WorkerProcess,
  planner: Planner,
  mutant: Mutant,
  files: readonly TestFile[],
): Promise<Noticed | undefined> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const order = planner.orderOf(mutant.id, planner.trusted(files));
    const found = noticed(await worker.obey(order));
    if (!found || (await passesWithout(worker, planner, found))) return found;
    // This mutant or one before it has left something behind: once more without any past.
    worker.stop();
    const isTrue = await passesWithout(worker, planner, found);
    worker.stop();
    if (isTrue && turn > 0) return found;
    if (!isTrue) planner.distrust(found.by);
  }
  return undefined;
}

/** Runs the tests that reach a mutant, up to the first that notices it. */
export async function judge(
  worker: WorkerProcess,
  planner: Planner,
  mutant: Mutant,
): Promise<Verdict> {
  const startedAt = performance.now();
  const { usual, fresh } = planner.planOf(mutant);
  let found = usual.length > 0 ? await tryTests(worker, planner, mutant, usual) : undefined;
  if (!found && fresh.length > 0) {
    worker.stop();
    found = await tryTests(worker, planner, mutant, fresh);
    worker.stop();
  }
  if (found?.by) planner.remember(mutant, found.by.file);
  const durationMs = performance.now() - startedAt;
  const isReached = usual.length + fresh.length > 0;
  const fate = found?.fate ?? (isReached ? 'survived' : 'not reached');
  return { mutant, fate, durationMs, ...(found && { by: found.name }) };
}
