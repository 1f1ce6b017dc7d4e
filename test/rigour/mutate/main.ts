import { recordResult } from '../report/record.js';
import { cover } from './coverage.js';
import { readEqualMutants, reasonsOf } from './equal-mutants.js';
import { type Flags, HELP, readFlags, UsageError } from './flags.js';
import { judge } from './judge.js';
import { keepVerdicts, lastRun } from './last-verdicts.js';
import { isNoticed, type Mutant, type Verdict } from './mutant.js';
import { isMutated } from './mutated-files.js';
import { Planner } from './plan.js';
import { resultOf } from './result-of.js';
import { createSandbox, removeSandbox, type Sandbox } from './sandbox.js';
import { disprovedBy } from './score.js';
import { selectMutants } from './select-mutants.js';
import { findTestFiles } from './test-files.js';
import { WorkerProcess } from './worker-process.js';

const tell = (line: string) => process.stdout.write(`${line}\n`);

function lineOf({ mutant, fate }: Verdict): string {
  const { id, file, line, before, after } = mutant;
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${fate} #${id} ${file}:${line}: ${short(before)} → ${short(after)}`;
}

async function judgeAll(
  sandbox: Sandbox,
  mutants: readonly Mutant[],
  planner: Planner,
  { workers, keep }: { readonly workers: number; keep(verdicts: readonly Verdict[]): void },
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
        keep(verdicts);
      }
    }
    worker.stop();
  };
  await Promise.all(Array.from({ length: workers }, work));
  return verdicts;
}

/** What is tried, and what is kept of the last run if only the rest of it is tried again. */
function askedOf({ mutants }: Sandbox, flags: Flags) {
  if (!flags.isAgain) return { selection: flags, asked: selectMutants(mutants, flags), kept: [] };
  const { selection, verdicts } = lastRun(mutants);
  const asked = verdicts.filter((verdict) => !isNoticed(verdict)).map(({ mutant }) => mutant);
  return { selection, asked, kept: verdicts.filter(isNoticed) };
}

async function mutate(sandbox: Sandbox, flags: Flags): Promise<boolean> {
  const { workers, isAgain, isRecorded } = flags;
  const { mutants } = sandbox;
  const { selection, asked, kept } = askedOf(sandbox, flags);
  tell(`${asked.length} of ${mutants.length} mutants`);
  const { reasons, mistakes } = reasonsOf(readEqualMutants(), mutants);
  for (const mistake of mistakes) tell(mistake);
  if (asked.length === 0) return mistakes.length === 0;
  const covered = await cover(sandbox, findTestFiles(), workers, tell);
  const planner = new Planner(mutants, covered, selection.patienceS * 1_000);
  const all = (judged: readonly Verdict[]) => [
    ...kept,
    ...judged.map((verdict) => ({ ...verdict, wasMissed: isAgain })),
  ];
  const keep = (judged: readonly Verdict[]) => keepVerdicts(selection, all(judged));
  const judged = await judgeAll(sandbox, asked, planner, { workers, keep });
  keep(judged);
  const verdicts = all(judged);
  for (const verdict of disprovedBy(verdicts, reasons)) {
    tell(`equal-mutants.json: ${verdict.by} disproves '${reasons.get(verdict.mutant.id)}'`);
    tell(`  ${lineOf(verdict)}`);
  }
  const result = resultOf({
    ...{ verdicts, reasons, selection, isAgain },
    mutantCount: mutants.length,
    testCount: covered.reduce((sum, { tests }) => sum + tests.length, 0),
    unusable: covered.reduce((sum, one) => sum + one.unusable.length, 0),
    needOthers: planner.distrustedCount,
  });
  for (const { name, value, isWithin } of result.figures) {
    tell(`${name}: ${value}${isWithin === false ? ' (not within its bound)' : ''}`);
  }
  if (isRecorded) recordResult(result);
  return mistakes.length === 0 && result.figures.every(({ isWithin }) => isWithin !== false);
}

try {
  const flags = readFlags(process.argv.slice(2));
  if (flags) {
    const sandbox = createSandbox(isMutated);
    process.on('SIGINT', () => process.exit(130)).on('exit', () => removeSandbox(sandbox));
    process.exitCode = (await mutate(sandbox, flags)) ? 0 : 1;
  } else tell(HELP);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${HELP}`);
  process.exitCode = 2;
}
