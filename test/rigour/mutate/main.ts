import { recordResult } from '../report/record.js';
import { cover } from './coverage.js';
import { readEqualMutants, reasonsOf } from './equal-mutants.js';
import { type Flags, readFlags } from './flags.js';
import { judge } from './judge.js';
import { keepVerdicts, lastVerdicts } from './last-verdicts.js';
import { isNoticed, type Mutant, type Verdict } from './mutant.js';
import { Planner } from './plan.js';
import { resultOf } from './result-of.js';
import { createSandbox, removeSandbox, type Sandbox } from './sandbox.js';
import { selectMutants } from './select-mutants.js';
import { findTestFiles } from './test-files.js';
import { WorkerProcess } from './worker-process.js';

const ROOMS = /^src\/(accounts|billing|datasets|decisions|http|store)\//;

/** These records are written by `npm run generate`. */
const GENERATED = ['src/datasets/generate/pregenerated.ts'];

const tell = (line: string) => process.stdout.write(`${line}\n`);

function isMutated(file: string): boolean {
  return ROOMS.test(file) && !GENERATED.includes(file);
}

function lineOf({ mutant, fate }: Verdict): string {
  const { id, file, line, before, after } = mutant;
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${fate} #${id} ${file}:${line}: ${short(before)} → ${short(after)}`;
}

async function judgeAll(
  sandbox: Sandbox,
  mutants: readonly Mutant[],
  planner: Planner,
  flags: Flags,
): Promise<Verdict[]> {
  const queue = [...mutants];
  const verdicts: Verdict[] = [];
  const work = async () => {
    const worker = new WorkerProcess(sandbox.folder);
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const verdict = await judge(worker, planner, mutant);
      verdicts.push(verdict);
      if (!verdict.by) tell(lineOf(verdict));
      if (verdicts.length % 50 === 0) {
        tell(`${verdicts.length}/${mutants.length}`);
        keepVerdicts(verdicts);
      }
    }
    worker.stop();
  };
  await Promise.all(Array.from({ length: flags.workers }, work));
  return verdicts;
}

async function mutate(sandbox: Sandbox, flags: Flags): Promise<boolean> {
  const last = flags.isAgain ? lastVerdicts(sandbox.mutants) : [];
  const asked = flags.isAgain
    ? last.filter((verdict) => !isNoticed(verdict)).map(({ mutant }) => mutant)
    : selectMutants(sandbox.mutants, flags);
  tell(`${asked.length} of ${sandbox.mutants.length} mutants`);
  const { reasons, mistakes } = reasonsOf(readEqualMutants(), sandbox.mutants);
  for (const mistake of mistakes) tell(mistake);
  const covered = await cover(sandbox, findTestFiles(), flags.workers, tell);
  const planner = new Planner(sandbox.mutants, covered, flags.patienceS * 1_000);
  const judged = await judgeAll(sandbox, asked, planner, flags);
  const verdicts = [
    ...last.filter(isNoticed),
    ...judged.map((verdict) => ({ ...verdict, wasMissed: flags.isAgain })),
  ];
  keepVerdicts(verdicts);
  const testCount = covered.reduce((sum, { tests }) => sum + tests.length, 0);
  const mutantCount = sandbox.mutants.length;
  const result = resultOf({ verdicts, reasons, mutantCount, testCount, flags });
  for (const { name, value, isWithin } of result.figures) {
    tell(`${name}: ${value}${isWithin === false ? ' (too few)' : ''}`);
  }
  if (flags.isRecorded) recordResult(result);
  return mistakes.length === 0 && result.figures.every(({ isWithin }) => isWithin !== false);
}

const flags = readFlags(process.argv.slice(2));
if (flags) {
  const sandbox = createSandbox(isMutated);
  process.on('SIGINT', () => process.exit(130)).on('exit', () => removeSandbox(sandbox));
  process.exitCode = (await mutate(sandbox, flags)) ? 0 : 1;
}
