import type { Mutant, Verdict } from './mutant.js';
import type { Planner } from './plan.js';
import type { TestFile } from './worker-messages.js';
import type { Outcome, WorkerProcess } from './worker-process.js';

/** The test that failed, or that the worker was lost in. */
interface Noticed {
  readonly fate: 'killed' | 'timed out';
  readonly by: TestFile;
  readonly name: string;
  /** Whether the worker said nothing any more, or crashed. */
  readonly isLost: boolean;
}

/** The test that a worker was lost in, as it had named it; only the file if none had begun. */
function placeOf(name: string): TestFile {
  const [file = '', ...names] = name.split(' > ');
  return { file, tests: names.length > 0 ? [names.join(' > ')] : [] };
}

function noticed(outcome: Outcome): Noticed | undefined {
  if (outcome.kind !== 'done') {
    const { test } = outcome;
    return { fate: 'timed out', by: placeOf(test), name: test, isLost: true };
  }
  for (const { file, tests } of outcome.files) {
    const failed = tests.find(({ error }) => error);
    if (!failed) continue;
    const isTimeout = /Exceeded timeout|loop without an end/.test(failed.error ?? '');
    const ran = tests.flatMap(({ name }) => name || []);
    const by = { file, tests: failed.name === '' ? ran : [failed.name] };
    const fate = isTimeout ? 'timed out' : 'killed';
    return { fate, by, name: `${file} > ${failed.name}`, isLost: false };
  }
  return undefined;
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
    const left = planner.trusted(files);
    const found = noticed(await worker.obey(planner.orderOf(mutant.id, left)));
    if (!found) return undefined;
    // Which test loses a worker may depend on those before it: all of them are run once more.
    const control = found.isLost ? left : [found.by];
    const without = async () => noticed(await worker.obey(planner.orderOf(0, control)));
    let failed = await without();
    if (!failed) return found;
    if (found.isLost) {
      planner.distrust(failed.by);
      continue;
    }
    // This mutant or one before it has left something behind: once more without any past.
    worker.stop();
    failed = await without();
    worker.stop();
    if (!failed && turn > 0) return found;
    if (failed) planner.distrust(found.by);
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
  if (found) planner.remember(mutant, found.by.file);
  const durationMs = performance.now() - startedAt;
  const isReached = usual.length + fresh.length > 0;
  const fate = found?.fate ?? (isReached ? 'survived' : 'not reached');
  return { mutant, fate, durationMs, ...(found && { by: found.name }) };
}
