import { TestEnvironment } from 'jest-environment-node';
import { createTitles, type EndOfTest } from '../account-of-test/end-of-test.js';
import { RUNNING_TEST } from './running-test.js';

interface Titled {
  readonly name: string;
  readonly parent?: Titled;
}

interface TestEvent {
  readonly name: string;
  readonly test?: Titled & {
    readonly errors: readonly unknown[];
    readonly invocations: number;
  };
}

/** The global in which `jest.retryTimes` keeps its number. */
const RETRY_TIMES = Symbol.for('RETRY_TIMES');

/**
 * jest's Node environment, extended for `useMockServer`: it shows the requests that a failed test's
 * account received, and tells the mock how each test ended, which hooks cannot know.
 *
 * @example
 * // jest.config.mjs
 * export default { testEnvironment: 'usage-billing-mock/jest-environment' };
 */
export default class BillingMockEnvironment extends TestEnvironment {
  readonly #project: string | undefined;
  readonly #titleOf = createTitles();

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    this.#project = config.projectConfig.displayName?.name;
  }

  async handleTestEvent({ name, test }: TestEvent): Promise<void> {
    const global = this.global as {
      [RUNNING_TEST]?: EndOfTest;
      readonly [RETRY_TIMES]?: unknown;
    } & typeof this.global;
    // A test may fail before its hooks run, and must not show the story of another.
    if (name === 'test_start') delete global[RUNNING_TEST];
    if (name !== 'test_done' || !test) return;
    const { errors } = test;
    const hasPassed = errors.length === 0;
    const isLastTry = test.invocations > (Number(global[RETRY_TIMES]) || 0);
    const title = this.#titleOf(pathOf(test).join(' › '), test, this.#project);
    const [story] = await Promise.all([
      hasPassed ? undefined : global[RUNNING_TEST]?.story(),
      hasPassed || isLastTry ? global[RUNNING_TEST]?.mark({ errors, title }) : undefined,
    ]);
    if (story !== undefined) global.console.error(`'${test.name}' failed.\n${story}`);
  }
}

/** The titles of a test's groups, without jest's own around them, and of the test. */
function pathOf({ name, parent }: Titled): readonly string[] {
  return parent ? [...pathOf(parent), name].slice(parent.parent ? 0 : 1) : [name];
}
