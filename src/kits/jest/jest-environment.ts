import { TestEnvironment } from 'jest-environment-node';
import { SHOW_ON_FAILURE } from './show-on-failure.js';

interface TestEvent {
  readonly name: string;
  readonly test?: {
    readonly name: string;
    readonly errors: readonly unknown[];
    readonly invocations: number;
  };
}

/** The global in which `jest.retryTimes` keeps its number. */
const RETRY_TIMES = Symbol.for('RETRY_TIMES');

/**
 * jest's Node environment, extended for `useMockServer`: it shows the requests that a failed test's
 * account received, and tells the mock why the test failed, which hooks cannot know.
 *
 * @example
 * // jest.config.mjs
 * export default { testEnvironment: 'usage-billing-mock/jest-environment' };
 */
export default class BillingMockEnvironment extends TestEnvironment {
  async handleTestEvent({ name, test }: TestEvent): Promise<void> {
    const global = this.global as {
      [SHOW_ON_FAILURE]?: (errors: readonly unknown[]) => Promise<string>;
      readonly [RETRY_TIMES]?: unknown;
    } & typeof this.global;
    // A test may fail before its hooks run, and must not show the story of another.
    if (name === 'test_start') delete global[SHOW_ON_FAILURE];
    if (name !== 'test_done' || !test || test.errors.length === 0) return;
    const isLastTry = test.invocations > (Number(global[RETRY_TIMES]) || 0);
    const story = await global[SHOW_ON_FAILURE]?.(isLastTry ? test.errors : []);
    if (story !== undefined) global.console.error(`'${test.name}' failed.\n${story}`);
  }
}
