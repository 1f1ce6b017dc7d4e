import { createSharedMock, type SharedMockOptions } from '../shared-mock/shared-mock.js';

export type { SharedMockOptions };

/**
 * Creates a Playwright global set-up that starts one mock for all tests, with these server options.
 * The mock runs in a process of its own, which ends with Playwright. Throws for an option that is a
 * function.
 *
 * @example
 * import { createGlobalSetup } from 'usage-billing-mock/playwright/global-setup';
 *
 * export default createGlobalSetup({ dataset: 'edge-cases' });
 */
export function createGlobalSetup(options?: SharedMockOptions): () => Promise<() => void> {
  const { begin, end } = createSharedMock(
    options,
    'billingOptions, as { server: { … } }, for the tests that need it: they get',
  );
  return async () => {
    await begin();
    return end;
  };
}

/**
 * The global set-up with the default options.
 *
 * @example
 * // playwright.config.mjs
 * export default { globalSetup: 'usage-billing-mock/playwright/global-setup' };
 */
export default createGlobalSetup();
