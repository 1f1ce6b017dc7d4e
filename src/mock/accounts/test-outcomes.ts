import { UnknownIdError } from '../../core/errors/unknown-id.js';
import type { components } from '../../generated/control.js';
import { type KeptEvidence, placesOf, type Rank } from './journal/kept-evidence.js';

/**
 * How a test ended, and which test it is.
 *
 * @example
 * const outcome: TestOutcome = { outcome: 'failed', title: 'deletes a contract', message: 'expected 404' };
 * account.markTest(outcome);
 */
export type TestOutcome = components['schemas']['TestOutcome'];

/** The outcome of a test, as it is kept and listed; `account` is the id of an account. */
export interface NotedTest extends Omit<components['schemas']['ListedTest'], 'account'> {
  /**
   * Identifies the test: outcomes with the same file and title, or else from the same account, are
   * about the same test.
   */
  readonly key: string;
  readonly account: string;
  /** True once the test ended again, or the outcome was dismissed or dropped to make room. */
  isOver: boolean;
}

/** Of how many runs the outcome of each test is kept. */
const MAX_RUNS = 10;

/** How each test of a server ended in each of its latest runs, whatever became of its account. */
export class TestOutcomes {
  readonly #kept: KeptEvidence;
  /** The outcomes of each test, by its key; the latest last. */
  readonly #tests = new Map<string, NotedTest[]>();
  #nextId = 1;

  /** The outcomes count among what the journals keep. */
  constructor(kept: KeptEvidence) {
    this.#kept = kept;
  }

  /** How many outcomes there are. */
  get total(): number {
    return this.#all().length;
  }

  /** How many tests failed when they ended last. */
  get failed(): number {
    return this.#all().filter(isFailure).length;
  }

  /**
   * Notes how a test ended in place of its earlier outcome in the same run. If it fails for several
   * accounts in one run, all of these stay those of a failed test. Call `keep` with the result.
   */
  note(noted: Omit<NotedTest, 'id' | 'isOver'>): NotedTest {
    const others = this.#tests.get(noted.key) ?? [];
    const earlier = others.find(({ run }) => run === noted.run);
    const isRetried = earlier?.isRetried || earlier?.outcome === 'failed';
    const test = {
      ...noted,
      id: this.#nextId,
      isOver: false,
      ...(isRetried && noted.run !== undefined && { isRetried }),
    };
    this.#nextId += 1;
    const isOneFailure =
      noted.run !== undefined && earlier?.outcome === 'failed' && test.outcome === 'failed';
    const [oldest] = others;
    if (earlier) this.evict(earlier);
    else if (oldest && others.length >= MAX_RUNS) this.evict(oldest);
    const before = this.#tests.get(noted.key) ?? [];
    for (const one of before) one.isOver = true;
    const kept = isOneFailure ? Object.assign(earlier, test) : test;
    this.#tests.set(kept.key, [...before, kept]);
    return kept;
  }

  /** Counts a noted outcome among what is kept, where it makes room after all that was kept before. */
  keep(test: NotedTest): void {
    this.#kept.keep(test, this, placesOf(Object.values(test)));
  }

  /** Forgets an outcome, and returns it. Throws an `UnknownIdError` if there is none with this id. */
  dismiss(id: number): NotedTest {
    const test = this.#all().find((one) => one.id === id);
    if (!test) {
      throw new UnknownIdError(
        `No test has the outcome '${id}'; expected an id that GET /__control/tests lists.`,
      );
    }
    this.evict(test);
    return test;
  }

  /** The outcomes of the tests that failed last, then the others; the newest of each first. */
  list(): NotedTest[] {
    const rank = (test: NotedTest) => Number(isFailure(test));
    return this.#all().sort((one, other) => rank(other) - rank(one) || other.id - one.id);
  }

  evict(test: NotedTest): void {
    test.isOver = true;
    this.#kept.release(test);
    const others = this.#tests.get(test.key)?.filter((one) => one !== test) ?? [];
    if (others.length > 0) this.#tests.set(test.key, others);
    else this.#tests.delete(test.key);
  }

  rankOf(test: NotedTest): Rank {
    return isFailure(test) ? 'failed' : 'other';
  }

  #all(): NotedTest[] {
    return [...this.#tests.values()].flat();
  }
}

const isFailure = ({ outcome, isOver }: NotedTest) => outcome === 'failed' && !isOver;
