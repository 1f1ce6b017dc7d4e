import { TestEnvironment } from 'jest-environment-node';
import { SHOW_ON_FAILURE } from './show-on-failure.js';

/** The part of an event of jest that is needed here. */
interface TestEvent {
  readonly name: string;
  readonly test?: { readonly name: string; readonly errors: readonly unknown[] };
}

/**
 * jest's Node environment, which also shows the requests that a failed test's account received, and
 * tells the mock why it failed: hooks cannot know that. It needs `useMockServer`.
 *
 * @example
 * // jest.config.mjs
 * export default { testEnvironment: 'usage-billing-mock/jest-environment' };
 */
export default class BillingMockEnvironment extends TestEnvironment {
  async handleTestEvent({ name, test }: TestEvent): Promise<void> {
    if (name !== 'test_done' || !test || test.errors.length === 0) return;
    const global = this.global as {
      [SHOW_ON_FAILURE]?: (errors: readonly unknown[]) => Promise<string>;
    } & typeof this.global;
    const story = await global[SHOW_ON_FAILURE]?.(test.errors);
    if (story !== undefined) global.console.error(`'${test.name}' failed.\n${story}`);
  }
}
