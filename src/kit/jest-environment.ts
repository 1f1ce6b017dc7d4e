import { TestEnvironment } from 'jest-environment-node';
import { TELL_ON_FAILURE } from './tell-on-failure.js';

/** What jest tells an environment of; the part that is looked at. */
interface TestEvent {
  readonly name: string;
  readonly test?: { readonly name: string; readonly errors: readonly unknown[] };
}

/**
 * The Node environment of jest, which shows beside a failed test what the account of the test was
 * asked: hooks cannot know whether their test failed. It needs `useMockServer`.
 *
 * @example
 * // jest.config.mjs
 * export default { testEnvironment: 'usage-billing-mock/jest-environment' };
 */
export default class BillingMockEnvironment extends TestEnvironment {
  handleTestEvent({ name, test }: TestEvent): void {
    if (name !== 'test_done' || !test || test.errors.length === 0) return;
    const global = this.global as { [TELL_ON_FAILURE]?: () => string } & typeof this.global;
    const story = global[TELL_ON_FAILURE]?.();
    if (story !== undefined) global.console.error(`'${test.name}' failed.\n${story}`);
  }
}
