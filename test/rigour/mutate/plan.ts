import type { CoveredFile, CoveredTest } from './coverage.js';
import type { Mutant } from './mutant.js';
import { Promises } from './promises.js';
import type { Order, TestFile } from './worker-messages.js';

/** Which tests are run with a mutant, the most promising first. */
export interface Plan {
  /** Those that reach it when all code is loaded already. */
  readonly usual: readonly TestFile[];
  /** Those of a process that has not loaded the code, if the mutant is reached while it loads. */
  readonly fresh: readonly TestFile[];
}

/** A file with those of its tests that are to be run. */
interface Choice {
  readonly covered: CoveredFile;
  readonly tests: readonly CoveredTest[];
}

/** So many tests of so many files are run before all others. */
const FIRST_TESTS = 4;
const FIRST_FILES = 6;

const sumMs = (tests: readonly CoveredTest[]) =>
  tests.reduce((sum, { durationMs }) => sum + durationMs, 0);
const costMs = ({ covered, tests }: Choice) => covered.outside.durationMs + sumMs(tests);

/** Finds the tests that reach a mutant, and learns which files notice mutants. */
export class Planner {
  readonly #files: readonly CoveredFile[];
  readonly #direct = new Map<number, Map<CoveredFile, CoveredTest[]>>();
  readonly #outside = new Map<number, CoveredFile[]>();
  readonly #atLoad = new Set<number>();
  readonly #mostHits = new Map<number, number>();
  readonly #promises: Promises;
  readonly #distrusted = new Set<string>();
  readonly #patienceMs: number;

  constructor(mutants: readonly Mutant[], files: readonly CoveredFile[], patienceMs: number) {
    this.#files = files.filter(({ tests }) => tests.length > 0);
    this.#promises = new Promises(mutants, this.#files);
    this.#patienceMs = patienceMs;
    for (const covered of this.#files) {
      for (const test of covered.tests) {
        for (const id of this.#idsOf(test)) this.#addDirect(id, covered, test);
      }
      for (const id of this.#idsOf(covered.outside)) {
        this.#outside.set(id, [...(this.#outside.get(id) ?? []), covered]);
      }
      for (const id of this.#idsOf({ reached: covered.atLoad })) this.#atLoad.add(id);
    }
  }

  planOf(mutant: Mutant): Plan {
    const outside = this.#outside.get(mutant.id) ?? [];
    const whole = outside.map((covered) => ({ covered, tests: covered.tests }));
    const direct = [...(this.#direct.get(mutant.id) ?? [])]
      .filter(([covered]) => !outside.includes(covered))
      .map(([covered, tests]) => ({ covered, tests }));
    const usual = this.#within(this.#ranked([...direct, ...whole], mutant));
    const all = this.#files.map((covered) => ({ covered, tests: covered.tests }));
    const fresh = this.#atLoad.has(mutant.id) ? this.#within(this.#ranked(all, mutant)) : [];
    return {
      usual: [...this.#cheapest(usual), ...usual].map(toTestFile),
      fresh: fresh.map(toTestFile),
    };
  }

  /** What the tests of a file of code that noticed a mutant are remembered for. */
  remember(mutant: Mutant, testFile: string): void {
    this.#promises.noteNoticed(mutant, testFile);
  }

  /** Takes out tests that fail without a mutant when they run alone: they need others of their file. */
  distrust({ file, tests = [] }: TestFile): void {
    for (const name of tests) this.#distrusted.add(`${file} > ${name}`);
  }

  /** How many tests were taken out. */
  get distrustedCount(): number {
    return this.#distrusted.size;
  }

  /** The files without the tests that were taken out. */
  trusted(files: readonly TestFile[]): TestFile[] {
    return files.flatMap(({ file, tests = [] }) => {
      const left = tests.filter((name) => !this.#distrusted.has(`${file} > ${name}`));
      return left.length > 0 ? { file, tests: left } : [];
    });
  }

  orderOf(mutant: number, files: readonly TestFile[]): Order {
    const names = new Set(files.map(({ file }) => file));
    const durationsMs: Record<string, number> = {};
    for (const { file, tests, unusable } of this.#files) {
      if (!names.has(file)) continue;
      // Known, so that they are left out.
      for (const name of unusable) durationsMs[`${file} > ${name}`] = 0;
      for (const { name, durationMs } of tests) durationsMs[`${file} > ${name}`] = durationMs;
    }
    const mostHits = (this.#mostHits.get(mutant) ?? 0) * 100 + 10_000;
    return { mutant, files, isRecording: false, mostHits, durationsMs };
  }

  #idsOf({ reached }: Pick<CoveredTest, 'reached'>): number[] {
    const ids: number[] = [];
    for (let index = 0; index < reached.length; index += 2) {
      const [id, hits] = [reached[index] as number, reached[index + 1] as number];
      ids.push(id);
      this.#mostHits.set(id, Math.max(this.#mostHits.get(id) ?? 0, hits));
    }
    return ids;
  }

  #addDirect(id: number, covered: CoveredFile, test: CoveredTest): void {
    const files = this.#direct.get(id) ?? new Map<CoveredFile, CoveredTest[]>();
    this.#direct.set(id, files);
    files.set(covered, [...(files.get(covered) ?? []), test]);
  }

  #ranked(choices: readonly Choice[], mutant: Mutant): Choice[] {
    const promise = this.#promises.of(mutant);
    return choices
      .map((choice) => ({ choice, price: costMs(choice) / promise(choice.covered.file) }))
      .sort((one, other) => one.price - other.price)
      .map(({ choice }) => choice);
  }

  #within(choices: readonly Choice[]): Choice[] {
    let leftMs = this.#patienceMs;
    return choices.filter((choice) => {
      const isWithin = leftMs > 0;
      leftMs -= costMs(choice);
      return isWithin;
    });
  }

  /** A few short tests of the first files, because most mutants are noticed by any. */
  #cheapest(choices: readonly Choice[]): Choice[] {
    return choices.slice(0, FIRST_FILES).flatMap(({ covered, tests }) => {
      const sorted = tests.toSorted((one, other) => one.durationMs - other.durationMs);
      return tests.length > FIRST_TESTS * 2
        ? [{ covered, tests: sorted.slice(0, FIRST_TESTS) }]
        : [];
    });
  }
}

function toTestFile({ covered, tests }: Choice): TestFile {
  return { file: covered.file, tests: tests.map(({ name }) => name) };
}
