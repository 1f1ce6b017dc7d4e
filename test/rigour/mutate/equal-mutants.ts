import { readFileSync } from 'node:fs';
import type { Mutant } from './mutant.js';

/** Mutants that no test can notice, and why. */
interface EqualMutants {
  readonly file: string;
  /** The line that the mutant begins on, without its indentation. */
  readonly code: string;
  readonly before: string;
  /** What stands there instead; several if the reason is the same. */
  readonly after: readonly string[];
  readonly reason: string;
}

const PATH = 'test/rigour/mutate/equal-mutants.json';

/** A mutant is known by its text, not by its line number, so that code may move. */
function isOf(entry: EqualMutants, { file, code, before, after }: Mutant): boolean {
  return (
    entry.file === file &&
    entry.code === code &&
    entry.before === before &&
    entry.after.includes(after)
  );
}

/** The reasons of equal mutants, and entries that fit no mutant any more. */
export function readEqualMutants(mutants: readonly Mutant[]) {
  const entries: readonly EqualMutants[] = JSON.parse(readFileSync(PATH, 'utf8'));
  const reasons = new Map<number, string>();
  for (const mutant of mutants) {
    const entry = entries.find((candidate) => isOf(candidate, mutant));
    if (entry) reasons.set(mutant.id, entry.reason);
  }
  const files = new Set(mutants.map(({ file }) => file));
  const stale = entries.filter(
    (entry) => files.has(entry.file) && !mutants.some((mutant) => isOf(entry, mutant)),
  );
  return { reasons, stale };
}
