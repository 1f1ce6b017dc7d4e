import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Mutant, textOf, type Verdict } from './mutant.js';

const PATH = 'coverage/mutate-verdicts.json';

/** Keeps the verdicts of a run for the next. */
export function keepVerdicts(verdicts: readonly Verdict[]): void {
  mkdirSync('coverage', { recursive: true });
  writeFileSync(PATH, JSON.stringify(verdicts, null, 1));
}

const identityOf = (mutant: Mutant) => `${textOf(mutant)} ${mutant.nth}`;

/** The verdicts of the last run on mutants that there still are. */
export function lastVerdicts(mutants: readonly Mutant[]): Verdict[] {
  if (!existsSync(PATH)) return [];
  const kept: readonly Verdict[] = JSON.parse(readFileSync(PATH, 'utf8'));
  const known = new Map(mutants.map((mutant) => [identityOf(mutant), mutant]));
  return kept.flatMap((verdict) => {
    const mutant = known.get(identityOf(verdict.mutant));
    return mutant ? { ...verdict, mutant } : [];
  });
}
