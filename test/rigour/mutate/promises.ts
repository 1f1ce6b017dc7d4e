import type { CoveredFile } from './coverage.js';
import type { Mutant } from './mutant.js';

/** Mutants within so many lines say more of a place than others of its file. */
const NEAR_LINES = 4;
const NEAR_WEIGHT = 5;
const NOTICED_WEIGHT = 2;

function idsReachedBy({ tests, outside }: CoveredFile): Set<number> {
  const ids = [...tests, outside].flatMap(({ reached }) =>
    reached.filter((_, index) => index % 2 === 0),
  );
  return new Set(ids);
}

/**
 * How much a file of tests promises to notice a mutant: it does if it reaches what stands around the
 * mutant and few others reach, or has noticed mutants of that file of code before.
 */
export class Promises {
  readonly #mutants: readonly Mutant[];
  readonly #reachedBy = new Map<number, Set<string>>();
  readonly #scores = new Map<string, number>();

  constructor(mutants: readonly Mutant[], files: readonly CoveredFile[]) {
    this.#mutants = mutants;
    for (const covered of files) {
      for (const id of idsReachedBy(covered)) {
        const others = this.#reachedBy.get(id) ?? new Set();
        this.#reachedBy.set(id, others.add(covered.file));
      }
    }
    for (const { id, file } of mutants) {
      const tests = this.#reachedBy.get(id) ?? [];
      for (const test of tests) this.#add(file, test, this.#rarityOf(id));
    }
  }

  /** Notes that a file of tests has noticed a mutant of the file of code. */
  noteNoticed({ file }: Mutant, test: string): void {
    this.#add(file, test, NOTICED_WEIGHT);
  }

  /** A number above 0 for each file of tests. */
  of(mutant: Mutant): (test: string) => number {
    const near = this.#mutants.filter(
      ({ file, line }) => file === mutant.file && Math.abs(line - mutant.line) <= NEAR_LINES,
    );
    return (test) => {
      const reached = near.filter(({ id }) => this.#reachedBy.get(id)?.has(test));
      const nearby = reached.reduce((sum, { id }) => sum + NEAR_WEIGHT * this.#rarityOf(id), 0);
      return 0.05 + nearby + (this.#scores.get(`${mutant.file} ${test}`) ?? 0);
    };
  }

  #rarityOf(id: number): number {
    return 1 / (this.#reachedBy.get(id)?.size ?? 1);
  }

  #add(file: string, test: string, score: number): void {
    const key = `${file} ${test}`;
    this.#scores.set(key, (this.#scores.get(key) ?? 0) + score);
  }
}
