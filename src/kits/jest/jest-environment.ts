import { TestEnvironment } from 'jest-environment-node';
import { STORY } from './story.js';

interface TestEvent {
  readonly name: string;
  readonly test?: { readonly name: string; readonly errors: readonly unknown[] };
}

/**
 * jest's Node environment, extended for `useMockServer`: it shows the requests that a failed test's
 * account received. Hooks cannot know that a test has failed.
 *
 * @example
 * // jest.config.mjs
 * export default { testEnvironment: 'usage-billing-mock/jest-environment' };
 */
export default class BillingMockEnvironment extends TestEnvironment {
  handleTestEvent({ name, test }: TestEvent): void {
    const global = this.global as { [STORY]?: () => string } & typeof this.global;
    // A test may fail before its hooks run, and must not show the story of another.
    if (name === 'test_start') delete global[STORY];
    if (name !== 'test_done' || !test?.errors.length) return;
    const story = global[STORY]?.();
    if (story !== undefined) global.console.error(`'${test.name}' failed.\n${story}`);
  }
}
