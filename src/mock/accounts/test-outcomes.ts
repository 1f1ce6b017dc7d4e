import { UnknownIdError } from '../../core/errors/unknown-id.js';
import type { components } from '../../generated/control.js';
import type { JournalBudget } from './journal/journal-budget.js';

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
  /** Which test it is: the same file and title, or the same account, make the same test. */
  readonly key: string;
  readonly account: string;
  /** True once the test ended again, or the outcome was dismissed or dropped to make room. */
  isOver: boolean;
}

/** The latest outcome of each test of a server, whatever became of its account. */
export class TestOutcomes {
  readonly #budget: JournalBudget;
  readonly #tests = new Map<string, NotedTest>();
  #nextId = 1;

  /** The outcomes take part in the budget of the journals. */
  constructor(budget: JournalBudget) {
    this.#budget = budget;
  }

  /** How many tests have an outcome. */
  get total(): number {
    return this.#tests.size;
  }

  /** How many tests failed. */
  get failed(): number {
    return this.#all().filter(({ outcome }) => outcome === 'failed').length;
  }

  /**
   * Notes how a test ended in place of its earlier outcome. If a test fails for several accounts in
   * one run, all of these stay those of a failed test.
   */
  note(noted: Omit<NotedTest, 'id' | 'isOver'>): NotedTest {
    const earlier = this.#tests.get(noted.key);
    const test = { ...noted, id: this.#nextId, isOver: false };
    this.#nextId += 1;
    const isOneFailure =
      earlier?.outcome === 'failed' &&
      test.outcome === 'failed' &&
      test.run !== undefined &&
      test.run === earlier.run;
    if (earlier) this.evict(earlier);
    const kept = isOneFailure ? Object.assign(earlier, test) : test;
    this.#tests.set(kept.key, kept);
    this.#budget.keep(kept, this);
    return kept;
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

  /** The tests that failed, then the others; the newest of each first. */
  list(): NotedTest[] {
    const rank = ({ outcome }: NotedTest) => Number(outcome === 'failed');
    return this.#all().sort((one, other) => rank(other) - rank(one) || other.id - one.id);
  }

  evict(test: NotedTest): void {
    test.isOver = true;
    this.#budget.release(test);
    this.#tests.delete(test.key);
  }

  isOfFailure({ outcome }: NotedTest): boolean {
    return outcome === 'failed';
  }

  #all(): NotedTest[] {
    return [...this.#tests.values()];
  }
}
