import { readFileSync } from 'node:fs';
import { type Mutant, textOf } from './mutant.js';

/** A mutant that no test can notice, or that nobody was promised to be protected from, and why. */
export interface EqualMutant {
  readonly file: string;
  /** The line that the mutant begins on, without its indentation. */
  readonly code: string;
  readonly before: string;
  readonly after: string;
  /** Which it is of several whose texts are the same; without them it is left out. */
  readonly nth?: number;
  /** Begins with `Not promised: ` if a test could notice it. */
  readonly reason: string;
}

const PATH = 'test/rigour/mutate/equal-mutants.json';

export function readEqualMutants(): readonly EqualMutant[] {
  return JSON.parse(readFileSync(PATH, 'utf8'));
}

function isOf(entry: EqualMutant, mutant: Mutant): boolean {
  const isNth = entry.nth === undefined || entry.nth === mutant.nth;
  return isNth && textOf(entry) === textOf(mutant);
}

/** The reasons of equal mutants, and what is wrong with entries that do not fit exactly one. */
export function reasonsOf(entries: readonly EqualMutant[], mutants: readonly Mutant[]) {
  const reasons = new Map<number, string>();
  const mistakes: string[] = [];
  for (const entry of entries) {
    const { file, code, before, after, nth } = entry;
    const found = mutants.filter((mutant) => isOf(entry, mutant));
    const [first, ...others] = found;
    if (first && others.length === 0) reasons.set(first.id, entry.reason);
    else {
      const which = nth === undefined ? '' : ` (nth ${nth})`;
      mistakes.push(
        `equal-mutants.json: ${found.length} mutants of ${file} are '${before}' → '${after}'${which} in '${code}'; expected 1.`,
      );
    }
  }
  return { reasons, mistakes };
}
