import { createSharedMock, type SharedMockOptions } from '../shared-mock/shared-mock.js';

import type { TestProject } from '../shared-mock/shared-mock-address.js';

export type { SharedMockOptions };

/**
 * Creates a jest global set-up that starts one mock for all test files, or for the files of the
 * project that names it. The mock runs in a process of its own, which ends with jest. Throws for an
 * option that is a function.
 *
 * @example
 * import { createGlobalSetup } from 'usage-billing-mock/jest/global-setup';
 *
 * export default createGlobalSetup({ dataset: 'edge-cases' });
 */
export function createGlobalSetup(
  options?: SharedMockOptions,
): (globalConfig?: unknown, project?: TestProject) => Promise<void> {
  const { begin } = createSharedMock(options);
  return (_globalConfig, project) => begin(project);
}

/**
 * The global set-up with the default options.
 *
 * @example
 * // jest.config.mjs
 * export default { globalSetup: 'usage-billing-mock/jest/global-setup' };
 */
export default createGlobalSetup();
