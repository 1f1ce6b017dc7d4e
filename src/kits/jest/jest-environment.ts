import { TestEnvironment } from 'jest-environment-node';
import { STORIES, type WithStories } from './stories.js';

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
  /** What each failed test shows, unless another attempt of it passes. */
  private readonly reports = new Map<unknown, string>();

  handleTestEvent({ name, test }: TestEvent): void {
    const global = this.global as WithStories & typeof this.global;
    if (name === 'test_start') {
      // A test may fail before its hooks run, and must not show the story of another.
      global[STORIES] = [];
      this.reports.delete(test);
    }
    const stories = name === 'test_done' && test?.errors.length ? (global[STORIES] ?? []) : [];
    if (test && stories.length > 0) {
      const texts = stories.map((story) => story());
      this.reports.set(test, [`'${test.name}' failed.`, ...texts].join('\n'));
    }
    if (name === 'run_finish')
      for (const story of this.reports.values()) global.console.error(story);
  }
}
