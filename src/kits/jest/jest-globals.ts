import { createRequire } from 'node:module';
import type * as JestGlobals from '@jest/globals';

/** What jest gives to a file of tests. Throws, in a sentence, where another runner runs the file. */
export function jestGlobals(): typeof JestGlobals {
  try {
    // An import that fails would be reported before any code of this package runs.
    return createRequire(import.meta.url)('@jest/globals') as typeof JestGlobals;
  } catch (error) {
    throw new Error(
      'usage-billing-mock/jest needs jest, which does not run this file. Under vitest import usage-billing-mock/vitest; under another runner use createMockServer of usage-billing-mock.',
      { cause: error },
    );
  }
}
