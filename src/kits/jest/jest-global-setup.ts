import { createSharedMock, type SharedMockOptions } from '../shared-mock/shared-mock.js';

export type { SharedMockOptions };

/**
 * Creates a global set-up of jest that starts one mock for all files of tests, with these options of
 * a server. The mock runs in its own process, which ends with jest. Throws for an option that is a
 * function.
 *
 * @example
 * import { createGlobalSetup } from 'usage-billing-mock/jest/global-setup';
 *
 * export default createGlobalSetup({ dataset: 'edge-cases' });
 */
export function createGlobalSetup(options?: SharedMockOptions): () => Promise<void> {
  return createSharedMock(options).begin;
}

/**
 * The global set-up with the default options.
 *
 * @example
 * // jest.config.mjs
 * export default { globalSetup: 'usage-billing-mock/jest/global-setup' };
 */
export default createGlobalSetup();
