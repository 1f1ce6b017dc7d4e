import { defineConfig } from 'tsdown';

/** What can be imported from ES modules and from CommonJS. */
const LIBRARY = {
  index: 'src/index.ts',
  jest: 'src/kit/jest.ts',
  'jest-environment': 'src/kit/jest-environment.ts',
};

/** vitest itself cannot be required, so that its kit need not be. */
const ES_MODULES = { ...LIBRARY, vitest: 'src/kit/vitest.ts' };

// All that the package needs is in its own files: to find and read 400 files takes longer than to
// run them, in every start, every file of tests and every installation.
const deps = {
  alwaysBundle: /./,
  neverBundle: ['@jest/globals', 'jest-environment-node', 'vitest'],
  onlyBundle: false as const,
};

export default defineConfig([
  {
    entry: { cli: 'src/cli.ts', ...ES_MODULES },
    format: 'esm',
    dts: { entry: Object.values(ES_MODULES) },
    deps,
  },
  { entry: LIBRARY, format: 'cjs', dts: true, shims: true, clean: false, deps },
]);
