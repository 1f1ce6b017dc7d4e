import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Selection, UsageError } from './flags.js';
import { type Mutant, textOf, type Verdict } from './mutant.js';

const PATH = 'coverage/mutate-verdicts.json';

/** What a run found, and what it was asked for. */
interface LastRun {
  readonly selection: Selection;
  readonly verdicts: readonly Verdict[];
}

/** Keeps the verdicts of a run for the next. */
export function keepVerdicts(selection: Selection, verdicts: readonly Verdict[]): void {
  const { since, files, sample, seed, patienceS } = selection;
  const run: LastRun = { selection: { since, files, sample, seed, patienceS }, verdicts };
  mkdirSync('coverage', { recursive: true });
  writeFileSync(PATH, JSON.stringify(run, null, 1));
}

const identityOf = (mutant: Mutant) => `${textOf(mutant)} ${mutant.nth}`;

/** What the last run was asked for, and its verdicts on mutants that there still are. */
export function lastRun(mutants: readonly Mutant[]): LastRun {
  const kept: Partial<LastRun> = existsSync(PATH) ? JSON.parse(readFileSync(PATH, 'utf8')) : {};
  const { selection, verdicts } = kept;
  if (!selection || !verdicts) {
    throw new UsageError(`--again was given without a last run; expected its verdicts in ${PATH}.`);
  }
  const known = new Map(mutants.map((mutant) => [identityOf(mutant), mutant]));
  const left = verdicts.flatMap((verdict) => {
    const mutant = known.get(identityOf(verdict.mutant));
    return mutant ? { ...verdict, mutant } : [];
  });
  return { selection, verdicts: left };
}
