import { createSharedMock, type SharedMockOptions } from '../shared-mock/shared-mock.js';

export type { SharedMockOptions };

/** What vitest passes to a global set-up. */
interface TestProject {
  readonly config: { readonly root: string; readonly include: readonly string[] };
  onTestsRerun(begin: () => Promise<void>): void;
}

/**
 * Creates a vitest global set-up that starts one mock for all test files, or for the files of the
 * project that names it. The mock runs in a process of its own, which ends with vitest. Throws for
 * an option that is a function.
 *
 * @example
 * import { createGlobalSetup } from 'usage-billing-mock/vitest/global-setup';
 *
 * export default createGlobalSetup({ dataset: 'edge-cases' });
 */
export function createGlobalSetup(
  options?: SharedMockOptions,
): (project: TestProject) => Promise<() => void> {
  const { begin, end } = createSharedMock(options);
  return async (project) => {
    const { root, include } = project.config;
    const beginForOwn = () => begin({ rootDir: root, testMatch: include, testRegex: [] });
    await beginForOwn();
    project.onTestsRerun(beginForOwn);
    return end;
  };
}

/**
 * The global set-up with the default options.
 *
 * @example
 * // vitest.config.mjs
 * export default { test: { globalSetup: 'usage-billing-mock/vitest/global-setup' } };
 */
export default createGlobalSetup();
